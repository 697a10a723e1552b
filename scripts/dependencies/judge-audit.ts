/** The advisories for the dependencies, or why they could not be checked. */
export type Verdict = { readonly advisories: readonly string[] } | { readonly notChecked: string };

type Vulnerability = { readonly name: string; readonly severity: string; readonly range?: string };

/**
 * Reads the output of `npm audit --json`. Only a report counts as an answer; if the registry refuses or is unreachable, the result is
 * `notChecked`.
 */
export function judgeAudit(printed: string): Verdict {
  const report = parsed(printed);
  if (report === null) return { notChecked: 'npm printed no report' };
  const { auditReportVersion, vulnerabilities, message, error } = report;
  if (typeof auditReportVersion !== 'number' || typeof vulnerabilities !== 'object') {
    return { notChecked: oneLine(message ?? error?.summary ?? 'the registry gave no report') };
  }
  const known = Object.values(vulnerabilities ?? {});
  return {
    advisories: known.map(({ name, severity, range = '' }) => oneLine(`${name} ${range}: ${severity}`)),
  };
}

type Report = {
  readonly auditReportVersion?: number;
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>> | null;
  readonly message?: string;
  readonly error?: { readonly summary?: string };
};

function parsed(printed: string): Report | null {
  try {
    const report: unknown = JSON.parse(printed);
    return typeof report === 'object' && report !== null ? report : null;
  } catch {
    return null;
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, 300);
}
