import type { MappingConfig } from '../record/mapping-config.ts';
import { own } from './own.ts';
import { STATUSES, type StatusName, type StatusRow, statusName } from './status.ts';

/** Forecast categories; `false` where the matrix names one and the spec shows no code (sales spec 2.3). */
export const FORECASTS: Readonly<Record<string, { readonly documented: boolean }>> = {
  UPSIDE: { documented: true },
  COMMIT: { documented: true },
  SAFE: { documented: true },
  LONGSHOT: { documented: false },
  WON: { documented: true },
  LOST: { documented: false },
};

/** What a client may set, the same for all open statuses; Won and Lost are the system's to set. */
export const CLIENT_FORECASTS: readonly string[] = ['SAFE', 'COMMIT', 'UPSIDE', 'LONGSHOT'];

type ForecastRule = {
  readonly mayBeSent: boolean;
  /** The name of the default; null where the documents tell none. */
  byDefault(status: StatusName): string | null;
};

/** By the phase of a status (sales spec 2.3): ignored for a lead, open for an opportunity, the system's at the end. */
export const FORECAST_RULES: Readonly<Record<StatusRow['phase'], ForecastRule>> = {
  lead: { mayBeSent: false, byDefault: () => null },
  opportunity: { mayBeSent: true, byDefault: () => 'UPSIDE' },
  closed: { mayBeSent: false, byDefault: (status) => status },
};

/** The vendor's code of a forecast name; null for one whose code neither the spec nor the tenant file gives. */
export function forecastCode(name: string, config: MappingConfig): string | null {
  if (own(FORECASTS, name)?.documented) return name;
  return own(config.values.forecastCategory, name) || null;
}

/** Our name of a forecast code; null for a code that neither the spec nor the tenant file names. */
export function forecastName(code: string, config: MappingConfig): string | null {
  if (own(FORECASTS, code)?.documented) return code;
  return Object.keys(FORECASTS).find((name) => own(config.values.forecastCategory, name) === code) ?? null;
}

/** What the CRM's value means: the tenant's code for a name it gives one, any other value as it is. */
export function readForecast(value: string, config: MappingConfig): string {
  return forecastCode(value, config) ?? value;
}

/** The code that the vendor fills in when none is sent at creation; null where the documents tell none. */
export function forecastDefault(status: string, config: MappingConfig): string | null {
  const name = statusName(status, config);
  const forecast = name === null ? null : ruleOf(name).byDefault(name);
  return forecast && forecastCode(forecast, config);
}

/** Won or Lost, with or without a code: what the vendor's system sets, and nobody else. */
export function isSystemForecast(code: string, config: MappingConfig): boolean {
  const name = forecastName(code, config) ?? code;
  return Object.hasOwn(FORECASTS, name) && !CLIENT_FORECASTS.includes(name);
}

export type ForecastVerdict = 'send' | 'not-now' | 'no-code' | 'system';

/**
 * Whether a forecast code may be sent with a status: `not-now` where the matrix ignores or forbids it, `system` where the
 * value is the vendor's system's to set, `no-code` where it is no known code. A status outside the matrix forbids nothing.
 */
export function forecastVerdict(code: string, status: string | null, config: MappingConfig): ForecastVerdict {
  const known = status === null ? null : statusName(status, config);
  if (known !== null && !ruleOf(known).mayBeSent) return 'not-now';
  if (isSystemForecast(code, config)) return 'system';
  return forecastName(code, config) === null ? 'no-code' : 'send';
}

function ruleOf(status: StatusName): ForecastRule {
  return FORECAST_RULES[STATUSES[status].phase];
}
