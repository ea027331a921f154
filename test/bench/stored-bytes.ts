/**
 * The size that DynamoDB bills an item by: names and values, one byte more for each thing in a list or map.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function storedBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return Math.ceil(String(Math.abs(value)).length / 2) + 1
  if (value === null || typeof value !== 'object') return 1
  if (Array.isArray(value)) return 3 + value.reduce((sum, each) => sum + 1 + storedBytes(each), 0)
  return (
    3 +
    attributes(value).reduce((sum, [name, each]) => sum + 1 + Buffer.byteLength(name) + storedBytes(each), 0)
  )
}

/** A whole item: its attributes, without what a map in an item costs beside. */
export const itemBytes = (item: object): number =>
  attributes(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + storedBytes(value), 0)

const attributes = (item: object) => Object.entries(item).filter(([, value]) => value !== undefined)
