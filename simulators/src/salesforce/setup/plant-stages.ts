import type { Org } from '../org.ts';
import { FORECAST_NAMES, STAGES } from '../schema/stages.ts';
import { makeId } from '../store/ids.ts';
import { toApiInstant } from '../store/instant.ts';
import { asEdited, type PicklistEdit } from './edited-picklists.ts';

const FIELD = 'Opportunity.StageName';

/**
 * Replaces the rows of opportunity stages. Renamed and deactivated picklist values change their rows. The stages' effects on opportunities
 * stay.
 */
export function plantStages(
  { store, clock, identity }: Pick<Org, 'store' | 'clock' | 'identity'>,
  edits: readonly PicklistEdit[],
): void {
  for (const { Id } of [...store.rows('OpportunityStage')]) store.purge('OpportunityStage', String(Id));
  const at = toApiInstant(clock.now());
  const by = identity.salesUserId;
  for (const [place, stage] of STAGES.entries()) {
    const { name, isActive } = asEdited(FIELD, stage.name, edits);
    store.put('OpportunityStage', {
      Id: makeId('01J', identity.organizationId.slice(3, 5), place + 1),
      ...{ MasterLabel: name, ApiName: name, SortOrder: place + 1, Description: null },
      ...{ IsActive: isActive, IsClosed: stage.closed, IsWon: stage.won },
      ...{ DefaultProbability: stage.probability, ForecastCategory: stage.forecast },
      ForecastCategoryName: FORECAST_NAMES[stage.forecast],
      ...{ CreatedDate: at, CreatedById: by, LastModifiedDate: at, LastModifiedById: by, SystemModstamp: at },
    });
  }
}
