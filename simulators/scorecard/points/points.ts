import { ACTIVITY_POINTS } from './activities.ts';
import { BULK_POINTS } from './bulk.ts';
import { CHANGE_EVENT_POINTS } from './change-events.ts';
import { COMPOSITE_POINTS } from './composite.ts';
import { EDGE_POINTS } from './edges.ts';
import { HISTORY_POINTS } from './history.ts';
import { HTTP_POINTS } from './http.ts';
import { LEAD_POINTS } from './leads.ts';
import { LIMIT_POINTS } from './limits.ts';
import { ORG_POINTS } from './org.ts';
import type { Point } from './point.ts';
import { ROW_POINTS } from './rows.ts';
import { SELECTION_POINTS } from './selection.ts';
import { SETUP_POINTS } from './setup.ts';
import { SOQL_POINTS } from './soql.ts';
import { TIME_POINTS } from './time.ts';

/** What the simulated org is held to, by what it is about. */
export const POINTS: Readonly<Record<string, readonly Point[]>> = {
  'The org': [...ORG_POINTS, ...SETUP_POINTS],
  'Calls and answers': HTTP_POINTS,
  Rows: ROW_POINTS,
  Leads: LEAD_POINTS,
  'Cases and tasks': ACTIVITY_POINTS,
  Queries: [...SOQL_POINTS, ...SELECTION_POINTS],
  'Where queries and trees end': EDGE_POINTS,
  'Field history': HISTORY_POINTS,
  Time: TIME_POINTS,
  'Many at once': COMPOSITE_POINTS,
  'Limits, locks and maintenance': LIMIT_POINTS,
  'In bulk': BULK_POINTS,
  'Change events': CHANGE_EVENT_POINTS,
};
