import { captureExtra } from '../schema/input.ts';
import { createInput, updateInput } from './input.ts';
import type { CreateLeadOpportunityInput, UpdateLeadOpportunityInput } from './inputs.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * The input of a create from a body in the vendor's own form (sales spec 4.1), for programs that map fields by name. Undocumented fields
 * move into `extra`. The create itself checks the input.
 */
export function toCreateInput(body: Body): CreateLeadOpportunityInput {
  return captureExtra(createInput, body) as CreateLeadOpportunityInput;
}

/** The input of an update of the record with the vendor's `id`, from a body in the vendor's own form (sales spec 4.2). */
export function toUpdateInput(id: string, body: Body): UpdateLeadOpportunityInput {
  return captureExtra(updateInput, { ...body, id }) as UpdateLeadOpportunityInput;
}
