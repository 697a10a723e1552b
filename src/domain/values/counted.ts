/** A number with its noun: `1 record`, `2 records`. `plural`: the plural, if it is not the noun with an added `s`. */
export function counted(n: number, one: string, plural = `${one}s`): string {
  return `${n} ${n === 1 ? one : plural}`;
}
