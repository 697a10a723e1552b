import type { CanonicalRecord, FieldName } from '../../record/canonical.ts';
import type { Lens } from '../lens.ts';
import { CURRENCY } from './currency.ts';
import { CUSTOMER_SITE_ID } from './customer-site-id.ts';
import { FORECAST_CATEGORY } from './forecast-category.ts';
import { reasons } from './reasons.ts';
import { STATUS } from './status.ts';

/**
 * The lenses (pairs of translation functions between CRM and vendor) of fields with special rules. Each is used instead of the lens for the
 * field's kind.
 */
export const OWN_RULES: { readonly [F in FieldName]?: Lens<CanonicalRecord[F]> } = {
  status: STATUS,
  forecastCategory: FORECAST_CATEGORY,
  reasonWon: reasons('reasonWon'),
  reasonLost: reasons('reasonLost'),
  currency: CURRENCY,
  customerSiteId: CUSTOMER_SITE_ID,
};
