import type { FieldName } from '../../record/canonical.ts';
import type { CrmValue } from '../../record/crm-graph.ts';
import { EMPTY_CODE, readReason } from '../../values/reasons.ts';
import type { MappingConfig } from '../config.ts';

/** What one member of a set means; `''` for the vendor's spelling of no reason (sales spec 2.4). */
export function readMember(field: FieldName, member: string, config: MappingConfig): string {
  if (field !== 'reasonWon' && field !== 'reasonLost') return member;
  return member === EMPTY_CODE ? '' : readReason(field, member, config);
}

/** The members of a multi-select as the CRM holds them. */
export function rawMembers(value: CrmValue | undefined): readonly string[] {
  return typeof value === 'string' ? value.split(';').filter((member) => member !== '') : [];
}
