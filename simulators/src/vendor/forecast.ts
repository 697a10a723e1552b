import { accepted, type Checked, refused, sandboxInvalid } from './problem.ts';

/** Statuses in which a given forecast is ignored at creation (sales spec 2.3). */
const EARLY_STATUSES: readonly string[] = ['LEAD_OPEN', 'QUALIFIED', 'ACCEPTED'];
const WON = 'WON';
/** The code of the Lost forecast. The documents name this forecast without its code, so the code is assumed. */
const LOST = 'LOST';
const DEFAULT_FORECAST = 'UPSIDE';

/** The forecast that the vendor's system sets for a closed status; `undefined` for open ones. */
function systemForecast(status: string | null, lostStatus: string): string | undefined {
  if (status === WON) return WON;
  return status === lostStatus ? LOST : undefined;
}

/**
 * The forecast of a new record (sales spec 2.3): ignored in the early statuses, set by the system when closed,
 * `UPSIDE` when not given. A client cannot set `WON` or `LOST` on an open record.
 */
export function forecastAtCreation(
  status: string,
  given: string | undefined,
  lostStatus: string,
): Checked<string | null> {
  if (EARLY_STATUSES.includes(status)) return accepted(null);
  const bySystem = systemForecast(status, lostStatus);
  if (bySystem !== undefined) return accepted(bySystem);
  return given === undefined ? accepted(DEFAULT_FORECAST) : checkOpen(given);
}

/**
 * The forecast after a change. The creation rules do not apply, but a closed status gets the system's forecast, and a reopened record loses
 * it.
 */
export function forecastAfterChange(
  before: { readonly status: string | null; readonly forecastCategory: string | null },
  status: string | null,
  given: string | null | undefined,
  lostStatus: string,
): Checked<string | null> {
  const bySystem = systemForecast(status, lostStatus);
  if (bySystem !== undefined) return accepted(bySystem);
  if (given !== undefined) return given === null ? accepted(null) : checkOpen(given);
  const isReopened = systemForecast(before.status, lostStatus) !== undefined;
  if (!isReopened) return accepted(before.forecastCategory);
  return accepted(EARLY_STATUSES.includes(status ?? '') ? null : DEFAULT_FORECAST);
}

function checkOpen(given: string): Checked<string> {
  if (given !== WON && given !== LOST) return accepted(given);
  return refused(sandboxInvalid(`leadOpportunity.forecastCategory: ${WON} and ${LOST} are set by the system.`));
}
