/** Keys in reading order; a nested object, or a list of objects, has its own order. */
export type ObjectKeyOrder = readonly (string | readonly [name: string, inside: ObjectKeyOrder])[]

/**
 * The value with its keys in this order. A jsonb column returns keys in the database's order. Unknown keys
 * come last, in their given order.
 */
export function sortObjectKeys<Value>(value: Value, order: ObjectKeyOrder): Value {
  if (Array.isArray(value)) return value.map((item) => sortObjectKeys(item, order)) as Value
  if (typeof value !== 'object' || value === null) return value
  const given = value as Record<string, unknown>
  const sorted: Record<string, unknown> = {}
  for (const each of order) {
    if (typeof each !== 'string') {
      const [name, inside] = each
      if (Object.hasOwn(given, name)) sorted[name] = sortObjectKeys(given[name], inside)
    } else if (Object.hasOwn(given, each)) sorted[each] = given[each]
  }
  for (const name of Object.keys(given)) if (!Object.hasOwn(sorted, name)) sorted[name] = given[name]
  return sorted as Value
}
