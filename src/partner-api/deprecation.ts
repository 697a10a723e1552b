/**
 * The use of a deprecated API version: the operation, the path of the deprecated version, and the path that replaces it (sales spec 9.2,
 * order spec 9.2).
 */
export type DeprecatedUse = {
  readonly operation: string;
  readonly template: string;
  readonly replacement: string;
};

const reported = new Set<string>();

/** Reports that a call uses a deprecated version of an operation. Each operation is reported once per process. */
export function reportDeprecated(use: DeprecatedUse, report: (use: DeprecatedUse) => void): void {
  if (reported.has(use.operation)) return;
  reported.add(use.operation);
  report(use);
}

/** The default report of a deprecated version: a deprecation warning of Node, which appears as a line on stderr. */
export function warnDeprecated(use: DeprecatedUse): void {
  process.emitWarning(`${use.template} is deprecated, use ${use.replacement}`, 'DeprecationWarning');
}
