/** Conditions and changes of DynamoDB writes, written as values instead of expression text. */

/** What must be true of the stored item for a write to happen. */
export type Condition =
  | { kind: 'absent' }
  | { kind: 'present' }
  | { kind: 'compare'; attribute: string; operator: '=' | '<>' | '<' | '<=' | '>' | '>='; value: unknown }
  | { kind: 'missing'; attribute: string }
  | { kind: 'all' | 'any'; of: Condition[] }

/** No item has this key. */
export const absent: Condition = { kind: 'absent' }
/** An item has this key. */
export const present: Condition = { kind: 'present' }
/** The attribute has this value. */
export const equals = (attribute: string, value: unknown): Condition => compare(attribute, '=', value)
/** The attribute exists and sorts before the value. */
export const lessThan = (attribute: string, value: unknown): Condition => compare(attribute, '<', value)
/** The attribute is not there. */
export const missing = (attribute: string): Condition => ({ kind: 'missing', attribute })
/** Every one of them holds. */
export const all = (...of: Condition[]): Condition => ({ kind: 'all', of })
/** At least one of them holds. */
export const any = (...of: Condition[]): Condition => ({ kind: 'any', of })

const compare = (
  attribute: string,
  operator: '=' | '<>' | '<' | '<=' | '>' | '>=',
  value: unknown,
): Condition => ({ kind: 'compare', attribute, operator, value })

/** The changes of an update; paths are attribute names, a dot leads into a map. */
export interface Changes {
  set?: Record<string, unknown>
  add?: Record<string, number>
  unset?: string[]
}

/** Expression text with its placeholders, as the SDK takes them. */
export class Expressions {
  readonly names: Record<string, string> = {}
  readonly values: Record<string, unknown> = {}
  private readonly known = new Map<string, string>()

  /** The placeholder for an attribute path. */
  name(path: string): string {
    return path
      .split('.')
      .map((part) => {
        const placeholder = this.known.get(part) ?? `#n${this.known.size}`
        this.known.set(part, placeholder)
        this.names[placeholder] = part
        return placeholder
      })
      .join('.')
  }

  /** The placeholder for a value. */
  value(value: unknown): string {
    const placeholder = `:v${Object.keys(this.values).length}`
    this.values[placeholder] = value
    return placeholder
  }

  condition(condition: Condition): string {
    switch (condition.kind) {
      case 'absent':
        return `attribute_not_exists(${this.name('pk')})`
      case 'present':
        return `attribute_exists(${this.name('pk')})`
      case 'missing':
        return `attribute_not_exists(${this.name(condition.attribute)})`
      case 'compare':
        return `${this.name(condition.attribute)} ${condition.operator} ${this.value(condition.value)}`
      case 'all':
      case 'any': {
        const joint = condition.kind === 'all' ? ' AND ' : ' OR '
        return condition.of.map((part) => `(${this.condition(part)})`).join(joint)
      }
    }
  }

  changes({ set = {}, add = {}, unset = [] }: Changes): string {
    const clause = (word: string, parts: string[]) =>
      parts.length > 0 ? [`${word} ${parts.join(', ')}`] : []
    return [
      ...clause(
        'SET',
        Object.entries(set).map(([path, value]) => `${this.name(path)} = ${this.value(value)}`),
      ),
      ...clause(
        'ADD',
        Object.entries(add).map(([path, value]) => `${this.name(path)} ${this.value(value)}`),
      ),
      ...clause(
        'REMOVE',
        unset.map((path) => this.name(path)),
      ),
    ].join(' ')
  }

  /** The placeholders as request parameters; empty ones are left out, as DynamoDB demands. */
  parameters() {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    }
  }
}
