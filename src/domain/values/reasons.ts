import type { Codes } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { own } from './own.ts';

export type ReasonField = 'reasonWon' | 'reasonLost';

/** Reasons (for a won or lost deal) that the spec names without their code (sales spec 2.1). The tenant file may give the code. */
const NAMES_WITHOUT_CODE: Readonly<Record<ReasonField, readonly string[]>> = {
  reasonWon: [],
  reasonLost: ['NO_PROJECT'],
};

/**
 * Codes of reasons (for a won or lost deal) that appear in the vendor's documents. The documents say that their lists of reasons, for won
 * and for lost deals, are both partial (sales spec 2.4).
 */
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

/**
 * The codes of reasons (for a won or lost deal) that the vendor's documents show. The documents' lists, for won and for lost deals, are
 * both partial.
 */
export function shownReasons(field: ReasonField): readonly string[] {
  return SHOWN_CODES[field];
}

/** Whether the vendor's documents or the tenant file contain a code of a reason (for a won or lost deal). */
export function isKnownReason(field: ReasonField, code: string, config: MappingConfig): boolean {
  return SHOWN_CODES[field].includes(code) || Object.values(config.values[field]).includes(code);
}

/** The vendor's code for "no reason" in the list of reasons of a won or lost deal (sales spec 2.4). */
export const EMPTY_CODE = 'EMPTY';

/**
 * The code of the reason (for a won or lost deal) that the vendor fills in if Lockstep creates a record without one (sales spec 2.1); null
 * if the code is unknown.
 */
export function reasonDefault(field: ReasonField, config: MappingConfig): string | null {
  return field === 'reasonWon' ? 'STRNG_VAL_PROP' : own(config.values.reasonLost, 'NO_PROJECT') || null;
}

/**
 * Translates a reason (for a won or lost deal) of the CRM: if the tenant file has a vendor's code for it, returns the code; otherwise
 * returns the value unchanged.
 */
export function readReason(field: ReasonField, value: string, config: MappingConfig): string {
  return own(config.values[field], value) || value;
}

/**
 * The reasons in a list that Lockstep must not send, because the spec names them without a code. A name that the tenant file uses as a code
 * may be sent.
 */
export function unsendableReasons(field: ReasonField, codes: Codes, config: MappingConfig): Codes {
  const given = Object.values(config.values[field]);
  return codes.filter((code) => NAMES_WITHOUT_CODE[field].includes(code) && !given.includes(code));
}
