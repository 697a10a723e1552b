import type { Text } from '../../record/canonical.ts';
import { ISSUES } from '../../record/issues.ts';
import { crmFieldOf } from '../../record/mapping-config.ts';
import { forecastVerdict, readForecast } from '../../values/forecast.ts';
import { scalar, sendScalar } from '../kinds/scalar.ts';
import { type Lens, statusAfter, type ToVendor, type VendorTarget, withhold } from '../lens.ts';

/**
 * Translates the forecast between the CRM and the vendor. If the vendor's documents have no code for a forecast, the code in the tenant
 * file is sent; a forecast with neither code is not sent. At some statuses no forecast is sent, because the vendor ignores the forecast
 * there (sales spec 2.3).
 */
export const FORECAST_CATEGORY: Lens<Text> = {
  ...scalar({ meaning: (text, { config }) => readForecast(text, config) }),
  toVendor: sendForecast,
};

function sendForecast(code: Text, at: VendorTarget): ToVendor {
  // An empty forecast gives no issue on create, because no user has cleared it.
  if (!code)
    return isIgnored(at) && at.use === 'update'
      ? withhold(ISSUES.forecastOfVendor(crmFieldOf(at.field, at.config)))
      : { kind: 'unset' };
  const verdict = forecastVerdict(code, statusAfter(at), at.config);
  if (verdict === 'send') return sendScalar(at.field, code);
  return withhold(WITHHELD[verdict](crmFieldOf(at.field, at.config)));
}

const WITHHELD = {
  'not-now': ISSUES.forecastOfVendor,
  system: ISSUES.forecastOfSystem,
  'no-code': ISSUES.forecastWithoutCode,
} as const;

/** Whether the vendor ignores every forecast at the status that the record has after the request. */
function isIgnored(at: VendorTarget): boolean {
  return forecastVerdict('UPSIDE', statusAfter(at), at.config) !== 'send';
}
