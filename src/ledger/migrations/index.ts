import type { Migration } from 'kysely/migration';
import { up as initial } from './0001-initial.ts';
import { up as vendorDue } from './0002-vendor-due.ts';
import { up as leftAt } from './0003-left-at.ts';
import { up as crmRefused } from './0004-crm-refused.ts';
import { up as oneVocabulary } from './0005-one-vocabulary.ts';
import { up as streamNames } from './0006-stream-names.ts';
import { up as settledUntil } from './0007-settled-until.ts';
import { up as newestPlan } from './0008-newest-plan.ts';
import { up as seenRows } from './0009-seen-rows.ts';
import { up as detachingIndex } from './0010-detaching-index.ts';
import { up as parkedRows } from './0011-parked-rows.ts';
import { up as waiting } from './0012-waiting.ts';
import { up as candidates } from './0013-candidates.ts';
import { up as retries } from './0014-retries.ts';
import { up as cursorsByStream } from './0015-cursors-by-stream.ts';
import { up as refusedRows } from './0016-refused-rows.ts';
import { up as mirrorRows } from './0017-mirror-rows.ts';
import { up as vendorKeys } from './0018-vendor-keys.ts';
import { up as triedDetails } from './0019-tried-details.ts';
import { up as mirrorFence } from './0020-mirror-fence.ts';
import { up as dueTotals } from './0021-due-totals.ts';
import { up as askedAt } from './0022-asked-at.ts';
import { up as catalogRows } from './0023-catalog-rows.ts';
import { up as linksWithIssues } from './0024-links-with-issues.ts';
import { up as barredPairs } from './0025-barred-pairs.ts';
import { up as auditMarks } from './0026-audit-marks.ts';
import { up as backfill } from './0027-backfill.ts';
import { up as bursts } from './0028-bursts.ts';
import { up as tenants } from './0029-tenants.ts';
import { up as vendorCodes } from './0030-vendor-codes.ts';
import { up as orderNews } from './0031-order-news.ts';
import { up as crmCalls } from './0032-crm-calls.ts';
import { up as foundAt } from './0033-found-at.ts';
import { up as retention } from './0034-retention.ts';
import { up as restores } from './0035-restores.ts';
import { up as dataKeys } from './0036-data-keys.ts';
import { up as noticeRefusals } from './0037-notice-refusals.ts';
import { up as newestDetails } from './0038-newest-details.ts';
import { up as loadDetails } from './0039-load-details.ts';
import { up as lane } from './0040-lane.ts';
import { up as laneGeneration } from './0041-lane-generation.ts';
import { up as echoes } from './0042-echoes.ts';
import { up as laneOrder } from './0043-lane-order.ts';
import { up as reporting } from './0044-reporting.ts';
import { up as operatorActions } from './0045-operator-actions.ts';
import { up as journalMonths } from './0046-journal-months.ts';
import { up as refusedClaims } from './0050-refused-claims.ts';
import { up as reportState } from './0052-report-state.ts';

import { up as chosenOpportunity } from './0055-chosen-opportunity.ts';

import { up as holds } from './0058-holds.ts';
import { up as movedFrom } from './0060-moved-from.ts';
import { up as consoleTokens } from './0064-console-tokens.ts';
import { up as journalMonthSchema } from './0068-journal-month-schema.ts';
import { up as notices } from './0070-notices.ts';
import { up as undoRows } from './0072-undo-rows.ts';
import { up as mappingVersions } from './0074-mapping-versions.ts';
import { up as linkedByAndApiTokens } from './0075-linked-by-and-api-tokens.ts';
import { up as shardReaders } from './0080-shard-readers.ts';
import { up as updatesInPlace } from './0082-updates-in-place.ts';
import { up as formerIds } from './0090-former-ids.ts';
import { up as linkVersion } from './0093-link-version.ts';

/** All migrations by name, oldest first. No migration can be undone, and a released migration is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-initial': { up: initial },
  '0002-vendor-due': { up: vendorDue },
  '0003-left-at': { up: leftAt },
  '0004-crm-refused': { up: crmRefused },
  '0005-one-vocabulary': { up: oneVocabulary },
  '0006-stream-names': { up: streamNames },
  '0007-settled-until': { up: settledUntil },
  '0008-newest-plan': { up: newestPlan },
  '0009-seen-rows': { up: seenRows },
  '0010-detaching-index': { up: detachingIndex },
  '0011-parked-rows': { up: parkedRows },
  '0012-waiting': { up: waiting },
  '0013-candidates': { up: candidates },
  '0014-retries': { up: retries },
  '0015-cursors-by-stream': { up: cursorsByStream },
  '0016-refused-rows': { up: refusedRows },
  '0017-mirror-rows': { up: mirrorRows },
  '0018-vendor-keys': { up: vendorKeys },
  '0019-tried-details': { up: triedDetails },
  '0020-mirror-fence': { up: mirrorFence },
  '0021-due-totals': { up: dueTotals },
  '0022-asked-at': { up: askedAt },
  '0023-catalog-rows': { up: catalogRows },
  '0024-links-with-issues': { up: linksWithIssues },
  '0025-barred-pairs': { up: barredPairs },
  '0026-audit-marks': { up: auditMarks },
  '0027-backfill': { up: backfill },
  '0028-bursts': { up: bursts },
  '0029-tenants': { up: tenants },
  '0030-vendor-codes': { up: vendorCodes },
  '0031-order-news': { up: orderNews },
  '0032-crm-calls': { up: crmCalls },
  '0033-found-at': { up: foundAt },
  '0034-retention': { up: retention },
  '0035-restores': { up: restores },
  '0036-data-keys': { up: dataKeys },
  '0037-notice-refusals': { up: noticeRefusals },
  '0038-newest-details': { up: newestDetails },
  '0039-load-details': { up: loadDetails },
  '0040-lane': { up: lane },
  '0041-lane-generation': { up: laneGeneration },
  '0042-echoes': { up: echoes },
  '0043-lane-order': { up: laneOrder },
  '0044-reporting': { up: reporting },
  '0045-operator-actions': { up: operatorActions },
  '0046-journal-months': { up: journalMonths },
  '0050-refused-claims': { up: refusedClaims },
  '0052-report-state': { up: reportState },
  '0055-chosen-opportunity': { up: chosenOpportunity },
  '0058-holds': { up: holds },
  '0060-moved-from': { up: movedFrom },
  '0064-console-tokens': { up: consoleTokens },
  '0068-journal-month-schema': { up: journalMonthSchema },
  '0070-notices': { up: notices },
  '0072-undo-rows': { up: undoRows },
  '0074-mapping-versions': { up: mappingVersions },
  '0075-linked-by-and-api-tokens': { up: linkedByAndApiTokens },
  '0080-shard-readers': { up: shardReaders },
  '0082-updates-in-place': { up: updatesInPlace },
  '0090-former-ids': { up: formerIds },
  '0093-link-version': { up: linkVersion },
};
