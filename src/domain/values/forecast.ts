import type { MappingConfig } from '../record/mapping-config.ts';
import { own } from './own.ts';
import { STATUSES, type StatusName, type StatusRow, statusName } from './status.ts';

/** The forecast categories. `documented` is false for a category that sales spec 2.3 names without its code. */
export const FORECASTS: Readonly<Record<string, { readonly documented: boolean }>> = {
  UPSIDE: { documented: true },
  COMMIT: { documented: true },
  SAFE: { documented: true },
  LONGSHOT: { documented: false },
  WON: { documented: true },
  LOST: { documented: false },
};

/**
 * Forecast categories that a partner (reseller) may send, if the deal's status allows a forecast. Only the vendor's own system sets Won and
 * Lost.
 */
export const CLIENT_FORECASTS: readonly string[] = ['SAFE', 'COMMIT', 'UPSIDE', 'LONGSHOT'];

type ForecastRule = {
  readonly mayBeSent: boolean;
  /** The forecast category that the vendor fills in for a status (sales spec 2.3), by its name; null if the spec shows none. */
  byDefault(status: StatusName): string | null;
};

/**
 * The vendor's rules about forecasts in each phase of a deal (sales spec 2.3). In the lead phase, the vendor ignores the forecast. In the
 * opportunity phase, it accepts the partner's forecast. For a closed deal, the vendor itself sets the forecast.
 */
export const FORECAST_RULES: Readonly<Record<StatusRow['phase'], ForecastRule>> = {
  lead: { mayBeSent: false, byDefault: () => null },
  opportunity: { mayBeSent: true, byDefault: () => 'UPSIDE' },
  closed: { mayBeSent: false, byDefault: (status) => status },
};

/** The vendor's code for Lockstep's name of a forecast category; null if neither the spec nor the tenant file has a code. */
export function forecastCode(name: string, config: MappingConfig): string | null {
  if (own(FORECASTS, name)?.documented) return name;
  return own(config.values.forecastCategory, name) || null;
}

/** Lockstep's name for a vendor's code of a forecast category; null if neither the spec nor the tenant file has the code. */
export function forecastName(code: string, config: MappingConfig): string | null {
  if (own(FORECASTS, code)?.documented) return code;
  return Object.keys(FORECASTS).find((name) => own(config.values.forecastCategory, name) === code) ?? null;
}

/**
 * Translates a forecast of the CRM into a vendor's code. If neither the spec nor the tenant file has a code for it, the value is returned
 * unchanged.
 */
export function readForecast(value: string, config: MappingConfig): string {
  return forecastCode(value, config) ?? value;
}

/**
 * The code of the forecast that the vendor fills in if Lockstep creates a record without a forecast. Null if the documents state none for
 * the status, or if the forecast's code is unknown. `status`: the vendor's code of the record's status.
 */
export function forecastDefault(status: string, config: MappingConfig): string | null {
  const name = statusName(status, config);
  const forecast = name === null ? null : ruleOf(name).byDefault(name);
  return forecast && forecastCode(forecast, config);
}

/** Whether a forecast category, by name or code, is Won or Lost. Only the vendor's system sets these. */
export function isSystemForecast(code: string, config: MappingConfig): boolean {
  const name = forecastName(code, config) ?? code;
  return Object.hasOwn(FORECASTS, name) && !CLIENT_FORECASTS.includes(name);
}

export type ForecastVerdict = 'send' | 'not-now' | 'no-code' | 'system';

/**
 * Whether Lockstep may send a forecast code together with a status. `not-now`: at this status, the vendor ignores or forbids every
 * forecast. `system`: only the vendor's own system sets this forecast. `no-code`: the code is unknown. If the status is null, or neither
 * the spec nor the tenant file has it, the result is never `not-now`.
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
