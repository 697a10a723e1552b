/** A deprecated API version that a call uses, and what replaces it (sales spec 9.2, order spec 9.2). */
export type DeprecatedUse = {
  readonly operation: string;
  readonly template: string;
  readonly replacement: string;
};

const reported = new Set<string>();

/** Reports that a deprecated version of `operation` is used, once per process. */
export function reportDeprecated(use: DeprecatedUse, report: (use: DeprecatedUse) => void): void {
  if (reported.has(use.operation)) return;
  reported.add(use.operation);
  report(use);
}

/** The default report of a deprecated version: a deprecation warning of Node, which appears as a line on stderr. */
export function warnDeprecated(use: DeprecatedUse): void {
  process.emitWarning(`${use.template} is deprecated, use ${use.replacement}`, 'DeprecationWarning');
}
