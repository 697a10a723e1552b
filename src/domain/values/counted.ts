/**
 * A number with its noun, such as `1 record` and `2 records`. `plural`: a plural that is more than an added `s`. Both forms may contain
 * further words: `counted(n, 'record differs', 'records differ')`.
 */
export function counted(n: number, one: string, plural = `${one}s`): string {
  return `${n} ${n === 1 ? one : plural}`;
}
