import { lensOf } from '../mapping/index.ts';
import type { FieldName } from '../record/canonical.ts';
import { type MappingConfig, ruleOf } from '../record/mapping-config.ts';
import type { VendorObservation } from '../record/observation.ts';

/**
 * The kinds of writes to a vendor field. Each kind needs another kind of evidence of the vendor's present value. `ruled`: the CRM wins each
 * conflict, so no evidence is needed. `scalar` (a single value): a stored value is enough, if it is recent or if a search confirmed it.
 * `personal` (a person decides conflicts): the value must have been read for this decision. `whole`: the write replaces a whole list or
 * company. The whole record must have been read for this decision, because the vendor has no ETags to detect a concurrent change.
 */
type Use = 'ruled' | 'scalar' | 'personal' | 'whole';

/**
 * The source of a vendor's value that a decision uses. `unread`: none, the vendor was not read. `search`: a search showed that the last
 * read is still current. `kept`: another worker read the record and stored it. `optimistic`: the record was read, and Lockstep has since
 * sent an update that does not contain this field. `read`: the record was read for this decision.
 */
type Evidence = 'unread' | NonNullable<VendorObservation['source']> | 'optimistic' | 'read';

/**
 * For each source of a vendor's value, the kinds of writes (`Use`) that Lockstep may send to the vendor. Before any other write, Lockstep
 * must read the vendor.
 */
const PERMITS: Readonly<Record<Evidence, readonly Use[]>> = {
  unread: ['ruled'],
  search: ['ruled', 'scalar'],
  kept: ['ruled', 'scalar'],
  optimistic: ['ruled', 'scalar', 'personal'],
  read: ['ruled', 'scalar', 'personal', 'whole'],
};

/**
 * Whether Lockstep knows the vendor's record well enough to write these fields there. If not, it must read the record first. `reading`: the
 * vendor's record as last read; null if it was not read.
 */
export function permits(
  reading: VendorObservation | null,
  fields: readonly FieldName[],
  config: MappingConfig,
): boolean {
  return fields.every((field) => PERMITS[evidenceOf(reading, field)].includes(useOf(field, config)));
}

/** The source of the vendor's value of a field (see `Evidence`). A value that Lockstep has just sent counts as a read value. */
function evidenceOf(reading: VendorObservation | null, field: FieldName): Evidence {
  if (reading === null) return 'unread';
  if (reading.source !== undefined) return reading.source;
  return reading.optimistic?.includes(field) === false ? 'optimistic' : 'read';
}

function useOf(field: FieldName, config: MappingConfig): Use {
  if (!lensOf(field).scalar) return 'whole';
  const rule = ruleOf(field, config);
  if (rule === 'crm') return 'ruled';
  return field === 'status' || rule === 'manual' ? 'personal' : 'scalar';
}
