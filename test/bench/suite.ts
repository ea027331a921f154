/** What a suite hands in: a table to print, and the sentences of what was not as it must be. */
import type { Ground } from './ground.ts'
import type { Data } from './posts.ts'

export type Row = Record<string, string | number>

export interface Report {
  rows: Row[]
  missed: string[]
}

/** A suite that measures the same at every size of the data. */
export interface SizedSuite {
  title: string
  open(ground: Ground, data: Data): { at(size: number): Promise<void>; report(): Report }
}

/** A suite that measures once. */
export interface PlainSuite {
  title: string
  run(): Promise<Report>
}
