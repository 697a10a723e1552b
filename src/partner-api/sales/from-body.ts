import { captureExtra } from '../schema/input.ts';
import { createInput, updateInput } from './input.ts';
import type { CreateLeadOpportunityInput, UpdateLeadOpportunityInput } from './inputs.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Converts a body in the vendor's own form to the input of a create (sales spec 4.1), for programs that map fields by name. Fields that the
 * documents do not show move into `extra`. The create itself checks the input.
 */
export function toCreateInput(body: Body): CreateLeadOpportunityInput {
  return captureExtra(createInput, body) as CreateLeadOpportunityInput;
}

/**
 * Converts a body in the vendor's own form to the input of an update of the record with the vendor's `id` (sales spec 4.2). Fields that the
 * documents do not show move into `extra`. The update itself checks the input.
 */
export function toUpdateInput(id: string, body: Body): UpdateLeadOpportunityInput {
  return captureExtra(updateInput, { ...body, id }) as UpdateLeadOpportunityInput;
}
