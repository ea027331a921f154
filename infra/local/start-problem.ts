/** Why the service cannot start, in one line that tells the reader what to do; anything else thrown is a defect. */
export class StartProblem extends Error {}
