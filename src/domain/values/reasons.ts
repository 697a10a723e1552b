import type { Codes } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { own } from './own.ts';

export type ReasonField = 'reasonWon' | 'reasonLost';

/** Names of reasons whose code the spec does not give (sales spec 2.1). A tenant file may give it. */
const NAMES_WITHOUT_CODE: Readonly<Record<ReasonField, readonly string[]>> = {
  reasonWon: [],
  reasonLost: ['NO_PROJECT'],
};

/** The codes of reasons that the vendor's documents show. Both lists are partial (sales spec 2.4). */
const SHOWN_CODES: Readonly<Record<ReasonField, readonly string[]>> = {
  reasonWon: ['SOLUTION_FUNCT', 'STRNG_VAL_PROP', 'LWR_CST_OF_OWNRSHIP', 'LWR_IMPL_COST'],
  reasonLost: [
    'BETTER_COMP_OFFER',
    'CLIENT_DOES_NOT_SEE_VALUE',
    'LACK_OR_LOSS_OF_CHAMPION',
    'FUNC_GAP',
    'CLIENT_HAS_NO_MORE_BUDGET',
  ],
};

/** The codes of reasons that the documents show. */
export function shownReasons(field: ReasonField): readonly string[] {
  return SHOWN_CODES[field];
}

/** Whether the documents or the tenant file contain a code. */
export function isKnownReason(field: ReasonField, code: string, config: MappingConfig): boolean {
  return SHOWN_CODES[field].includes(code) || Object.values(config.values[field]).includes(code);
}

/** The vendor's code for "no reason" in a list (sales spec 2.4). */
export const EMPTY_CODE = 'EMPTY';

/** The vendor's default if a create sends no reason (sales spec 2.1); null if its code is unknown. */
export function reasonDefault(field: ReasonField, config: MappingConfig): string | null {
  return field === 'reasonWon' ? 'STRNG_VAL_PROP' : own(config.values.reasonLost, 'NO_PROJECT') || null;
}

/** Translates a CRM value: a name with a code in the tenant file becomes this code, any other value stays. */
export function readReason(field: ReasonField, value: string, config: MappingConfig): string {
  return own(config.values[field], value) || value;
}

/**
 * The names in a list of reasons that have no vendor code, and so must not be sent. A name that the tenant file itself uses as a code is
 * not one of them.
 */
export function unsendableReasons(field: ReasonField, codes: Codes, config: MappingConfig): Codes {
  const given = Object.values(config.values[field]);
  return codes.filter((code) => NAMES_WITHOUT_CODE[field].includes(code) && !given.includes(code));
}
