const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `500ms`, `60s`, `5m`, `2h`, `1d`; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text);
  if (match === null) return null;
  return Number(match[1]) * (UNIT_MS[match[2] as string] as number);
}
