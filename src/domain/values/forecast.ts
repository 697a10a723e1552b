import type { MappingConfig } from '../record/mapping-config.ts';
import { own } from './own.ts';
import { STATUSES, type StatusName, type StatusRow, statusName } from './status.ts';

/** Forecast categories. `documented` is false if the forecast table of sales spec 2.3 names a category without its code. */
export const FORECASTS: Readonly<Record<string, { readonly documented: boolean }>> = {
  UPSIDE: { documented: true },
  COMMIT: { documented: true },
  SAFE: { documented: true },
  LONGSHOT: { documented: false },
  WON: { documented: true },
  LOST: { documented: false },
};

/** Forecasts that a client may set, the same for all open statuses. Only the vendor's system sets Won and Lost. */
export const CLIENT_FORECASTS: readonly string[] = ['SAFE', 'COMMIT', 'UPSIDE', 'LONGSHOT'];

type ForecastRule = {
  readonly mayBeSent: boolean;
  /** The name of the forecast category that the vendor fills in for a status (sales spec 2.3); null if the document shows none. */
  byDefault(status: StatusName): string | null;
};

/** Forecast rules by phase (sales spec 2.3): the vendor ignores a lead's, accepts an opportunity's and sets a closed deal's forecast. */
export const FORECAST_RULES: Readonly<Record<StatusRow['phase'], ForecastRule>> = {
  lead: { mayBeSent: false, byDefault: () => null },
  opportunity: { mayBeSent: true, byDefault: () => 'UPSIDE' },
  closed: { mayBeSent: false, byDefault: (status) => status },
};

/** The vendor's code of a forecast name; null if neither the spec nor the tenant file gives one. */
export function forecastCode(name: string, config: MappingConfig): string | null {
  if (own(FORECASTS, name)?.documented) return name;
  return own(config.values.forecastCategory, name) || null;
}

/** Lockstep's name of a forecast code; null if neither the spec nor the tenant file names the code. */
export function forecastName(code: string, config: MappingConfig): string | null {
  if (own(FORECASTS, code)?.documented) return code;
  return Object.keys(FORECASTS).find((name) => own(config.values.forecastCategory, name) === code) ?? null;
}

/** Translates the CRM's value: a name with a code in the tenant file becomes that code, any other value stays. */
export function readForecast(value: string, config: MappingConfig): string {
  return forecastCode(value, config) ?? value;
}

/** The code that the vendor fills in if a create sends none; null if the documents give none. */
export function forecastDefault(status: string, config: MappingConfig): string | null {
  const name = statusName(status, config);
  const forecast = name === null ? null : ruleOf(name).byDefault(name);
  return forecast && forecastCode(forecast, config);
}

/** Whether a forecast is Won or Lost, by name or code. Only the vendor's system sets these. */
export function isSystemForecast(code: string, config: MappingConfig): boolean {
  const name = forecastName(code, config) ?? code;
  return Object.hasOwn(FORECASTS, name) && !CLIENT_FORECASTS.includes(name);
}

export type ForecastVerdict = 'send' | 'not-now' | 'no-code' | 'system';

/**
 * Whether a forecast code may be sent with a status. `not-now`: at this status, the vendor ignores or forbids every forecast. `system`:
 * only the vendor's system sets it. `no-code`: the code is unknown. A status that the documents do not list forbids nothing.
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
