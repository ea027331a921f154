import type { Description } from './description.ts'
export const referencePage = (description: Description): string => description.info.title
