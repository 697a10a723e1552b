import type { MappingConfig } from '../mapping/config.ts';
import type { Codes } from '../record/canonical.ts';
import { own } from './own.ts';

export type ReasonField = 'reasonWon' | 'reasonLost';

/**
 * Reasons with their labels (sales spec 2.4). The lists of the spec are partial: a code beyond them travels as it
 * is. `null` marks a name whose code the spec does not give.
 */
export const REASONS: Readonly<Record<ReasonField, Readonly<Record<string, string | null>>>> = {
  reasonWon: {
    SOLUTION_FUNCT: 'Solution functionality',
    STRNG_VAL_PROP: 'Stronger value proposition',
    LWR_CST_OF_OWNRSHIP: 'Lower costs of ownership',
    LWR_IMPL_COST: 'Lower implementation costs',
  },
  reasonLost: {
    BETTER_COMP_OFFER: 'Better competitive offer',
    CLIENT_DOES_NOT_SEE_VALUE: 'Client does not see value',
    LACK_OR_LOSS_OF_CHAMPION: 'Lack or loss of champion',
    FUNC_GAP: 'Functional gap',
    CLIENT_HAS_NO_MORE_BUDGET: 'Client has no more budget',
    NO_PROJECT: null,
  },
};

/** How the vendor spells "no reason" in a list (sales spec 2.4). */
export const EMPTY_CODE = 'EMPTY';

/** The vendor's default when no reason is sent at creation (sales spec 2.1); null where its code is not known. */
export function reasonDefault(field: ReasonField, config: MappingConfig): string | null {
  return field === 'reasonWon' ? 'STRNG_VAL_PROP' : own(config.values.reasonLost, 'NO_PROJECT') || null;
}

/** What a CRM value means: the tenant's code for a name it gives one, any other value as it is. */
export function readReason(field: ReasonField, value: string, config: MappingConfig): string {
  return own(config.values[field], value) || value;
}

/**
 * Members of a set that are names without a code, and so must not be sent. A code that happens to be spelled like
 * such a name counts as one once the tenant file gives it.
 */
export function unsendableReasons(field: ReasonField, codes: Codes, config: MappingConfig): Codes {
  const given = Object.values(config.values[field]);
  return codes.filter((code) => own(REASONS[field], code) === null && !given.includes(code));
}
