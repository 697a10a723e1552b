/**
 * A number with its noun, such as `1 record` and `2 records`; `plural` where it is more than an added `s`. Words behind the noun
 * that change with the number go into both: `counted(n, 'record differs', 'records differ')`.
 */
export function counted(n: number, one: string, plural = `${one}s`): string {
  return `${n} ${n === 1 ? one : plural}`;
}
