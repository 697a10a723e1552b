import type { Text } from '../../record/canonical.ts';
import type { CrmFields } from '../../record/crm-graph.ts';
import { ISSUES } from '../../record/issues.ts';
import { isUnset, readObject, readText } from '../../values/text.ts';
import { ofAccount, sendEntity, wanted } from '../kinds/entity.ts';
import { TEXT } from '../kinds/text.ts';
import type { CrmPart, Lens, ToVendor, VendorTarget } from '../lens.ts';

const SITE_ID_FIELD = 'Vendor_Site_Id__c';

/**
 * Translates the customer's site id (`customerLegalEntity.id` at the vendor) between the CRM and the vendor (sales spec 2.6). In the CRM,
 * the site id is a field of the account. Lockstep writes this field only if it is empty.
 */
export const CUSTOMER_SITE_ID: Lens<Text> = {
  ...TEXT,
  // It is sent with the whole legal entity.
  scalar: false,
  crmFields: () => ({ Account: [SITE_ID_FIELD] }),
  vendor: { place: 'beside', key: 'customerLegalEntity' },
  fromCrm: (graph) => ofAccount(graph, (account) => readText(account[SITE_ID_FIELD])),
  fromVendor: (value) => {
    if (isUnset(value)) return null;
    const entity = readObject(value);
    return entity === undefined ? undefined : readText(entity['id'] ?? null);
  },
  toCrm: (siteId, graph) => fillSiteId(siteId, graph.account),
  toNewCrm: (siteId, { record }) =>
    siteId !== null && record.customerLegalEntity ? { account: { [SITE_ID_FIELD]: siteId } } : {},
  toVendor: sendSiteId,
};

function fillSiteId(siteId: Text, account: CrmFields | null): CrmPart {
  if (!siteId || account === null || !isUnset(account[SITE_ID_FIELD])) return {};
  return { account: { id: String(account['Id']), fields: { [SITE_ID_FIELD]: siteId } } };
}

/**
 * The customer's site id in an update, sent as a part of the legal entity (the customer's company). In a create, this function sends
 * nothing, because the request's part for the legal entity already contains the site id.
 */
function sendSiteId(siteId: Text, at: VendorTarget): ToVendor {
  if (at.movedTo?.entity !== undefined) return sendEntity(at.movedTo.entity, siteId, at);
  if (siteId === null || at.use === 'create') return { kind: 'unset' };
  const entity = wanted('customerLegalEntity', at);
  return entity ? sendEntity(entity, siteId, at) : { kind: 'withhold', issue: ISSUES.entityMissing() };
}
