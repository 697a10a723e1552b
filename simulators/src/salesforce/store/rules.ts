import { FORECAST_NAMES, stageOf } from '../schema/stages.ts';
import { completeCase, completePost, completeTask, keepConverted } from './activity-rules.ts';
import { expectedRevenue } from './expected-revenue.ts';
import { failure } from './failure.ts';
import { lineRules } from './line-rules.ts';
import { rowsOf } from './relations.ts';
import type { Row } from './row.ts';
import type { ObjectRules, SaveContext } from './rule-types.ts';

function isChanged({ before, draft }: SaveContext, name: string): boolean {
  return before === null || before[name] !== draft[name];
}

function completeOpportunity(context: SaveContext): void {
  const { before, draft, given } = context;
  const hasLines = before?.['HasOpportunityLineItem'] === true;
  if (hasLines) {
    // The lines determine the amount: a written one is ignored, not refused.
    draft['Amount'] = before['Amount'] ?? null;
    if (isChanged(context, 'Pricebook2Id')) {
      throw failure(
        400,
        'FIELD_INTEGRITY_EXCEPTION',
        'field integrity exception: Pricebook2Id (the price book cannot change while there are products)',
        ['Pricebook2Id'],
      );
    }
  }
  if (isChanged(context, 'StageName')) applyStage(context);
  // Nobody has changed the stage with which the opportunity was created (Object Reference: "Opportunity").
  if (before !== null && isChanged(context, 'StageName')) draft['LastStageChangeDate'] = context.nowStamp;
  if (given.has('ForecastCategoryName')) {
    const [category = 'Pipeline'] =
      Object.entries(FORECAST_NAMES).find(([, name]) => name === draft['ForecastCategoryName']) ?? [];
    draft['ForecastCategory'] = category;
  }
  draft['HasOpportunityLineItem'] = hasLines;
  draft['ExpectedRevenue'] = expectedRevenue(draft);
}

function applyStage({ store, draft, given }: SaveContext): void {
  const stage = stageOf(store.rows('OpportunityStage'), String(draft['StageName']));
  draft['IsClosed'] = stage.closed;
  draft['IsWon'] = stage.won;
  if (!given.has('Probability')) draft['Probability'] = stage.probability;
  if (given.has('ForecastCategoryName')) return;
  draft['ForecastCategory'] = stage.forecast;
  draft['ForecastCategoryName'] = FORECAST_NAMES[stage.forecast];
}

function completePersonName({ draft }: SaveContext): void {
  draft['Name'] = [draft['FirstName'], draft['LastName']].filter(Boolean).join(' ');
}

function keepOnePrimary({ store, after, touch }: Parameters<NonNullable<ObjectRules['afterSave']>>[0]): void {
  if (after['IsPrimary'] !== true || after['IsDeleted'] === true) return;
  for (const role of rowsOf(store, 'OpportunityContactRole', 'OpportunityId', after['OpportunityId'] ?? null)) {
    if (role['Id'] !== after['Id'] && role['IsPrimary'])
      touch('OpportunityContactRole', String(role['Id']), { IsPrimary: false });
  }
}

function completePriceEntry({ store, before, draft }: SaveContext): void {
  const product = store.get('Product2', String(draft['Product2Id']));
  draft['Name'] = product?.['Name'] ?? null;
  draft['ProductCode'] = product?.['ProductCode'] ?? null;
  if (before !== null) return;
  const siblings = rowsOf(store, 'PricebookEntry', 'Product2Id', draft['Product2Id'] ?? null).filter(
    (row) => row['IsDeleted'] !== true,
  );
  const isTwin = (row: Row) =>
    row['Pricebook2Id'] === draft['Pricebook2Id'] && row['CurrencyIsoCode'] === draft['CurrencyIsoCode'];
  if (siblings.some(isTwin)) {
    throw failure(400, 'DUPLICATE_VALUE', 'This price definition already exists in this price book', []);
  }
  const isStandard = store.get('Pricebook2', String(draft['Pricebook2Id']))?.['IsStandard'] === true;
  const hasStandardPrice = siblings.some(
    (row) => store.get('Pricebook2', String(row['Pricebook2Id']))?.['IsStandard'] === true,
  );
  if (isStandard || hasStandardPrice) return;
  const message =
    'Before creating a custom price, create a standard price in the standard price book for this product.';
  throw failure(400, 'STANDARD_PRICE_NOT_DEFINED', message, []);
}

/** Refuses a rate that is not above 0, and a rate of the corporate currency other than 1. */
function checkRate({ draft }: SaveContext): void {
  const rate = Number(draft['ConversionRate']);
  if (rate > 0 && (draft['IsCorporate'] !== true || rate === 1)) return;
  const message = 'ConversionRate: value outside of valid range';
  throw failure(400, 'NUMBER_OUTSIDE_VALID_RANGE', message, ['ConversionRate']);
}

export const OBJECT_RULES: Readonly<Record<string, ObjectRules>> = {
  Opportunity: { beforeSave: completeOpportunity },
  OpportunityLineItem: lineRules,
  OpportunityContactRole: { afterSave: keepOnePrimary },
  Contact: { beforeSave: completePersonName },
  Lead: {
    beforeSave: (context) => {
      keepConverted(context);
      completePersonName(context);
    },
  },
  Case: { beforeSave: completeCase },
  Task: { beforeSave: completeTask },
  FeedItem: { beforeSave: completePost },
  User: { beforeSave: completePersonName },
  CurrencyType: { beforeSave: checkRate },
  PricebookEntry: { beforeSave: completePriceEntry },
};
