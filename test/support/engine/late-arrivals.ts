import { highestKnownVersion } from '../../../src/domain/record/versions.ts';
import type { Deal } from './deal.ts';
import { comparable, FIELD_ROWS, linesKey, vendorLines } from './fields.ts';
import type { Raw } from './http.ts';
import type { People } from './people.ts';
import type { World } from './world.ts';

/**
 * What a vendor user entered and nobody has read is lost where an update comes late over it: nothing in the vendor's API tells of it
 * (docs/invariants.md). What was read before that is known, and stays. `before`: the record as it was until then.
 */
export async function forgetOverwritten(
  { ledger, tenant }: World,
  { entered, leadOf }: Pick<People, 'entered' | 'leadOf'>,
  deal: Deal,
  before: Raw,
): Promise<void> {
  const link = await ledger.findLinkByIds(tenant, { vendorId: String(before['id']) });
  const newest = link?.base == null ? null : highestKnownVersion(link.base);
  const isRead = newest !== null && Date.parse(newest) >= Date.parse(String(before['modifiedDate']));
  const after = await leadOf(deal);
  if (isRead || after === null) return;
  const was = shownOf(before);
  for (const [field, is] of shownOf(after)) {
    const key = `${deal.number} ${field}`;
    const { vendor, ...others } = entered.get(key) ?? {};
    if (vendor !== undefined && vendor === was.get(field) && vendor !== is) entered.set(key, others);
  }
}

function shownOf(lead: Raw): ReadonlyMap<string, string> {
  return new Map([
    ...FIELD_ROWS.map(({ name, kind, vendorField }) => [name, comparable(kind, lead[vendorField])] as [string, string]),
    ['status', String(lead['status'])],
    ['offerLines', linesKey(vendorLines(lead))],
  ]);
}
