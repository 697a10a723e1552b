import type { Endpoints } from '../../src/cli/running/endpoints.ts';
import { vendorApproves } from './approval-step.ts';
import { beside } from './beside.ts';
import { catalogAsked, catalogInCrm } from './catalog-steps.ts';
import { type CrmSide, crmSide, readCatalog } from './crm-side.ts';
import { orderAsked, orderFound } from './found-order-steps.ts';
import { DemoRequestError } from './http.ts';
import { leadConverted, leadShared } from './lead-steps.ts';
import { ordersInCrm, vendorOrders } from './order-steps.ts';
import { countOutcome, type Outcome } from './outcome.ts';
import { priceBookDeal } from './price-book-step.ts';
import {
  createAnswerLost,
  crmEdits,
  crmShares,
  referenceTaken,
  type StepContext,
  vendorCreates,
  vendorEdits,
} from './steps.ts';
import { type VendorSide, vendorSide } from './vendor-side.ts';
import { NotSeen, waitFor } from './wait.ts';

const AGREE_LIMIT_MS = 60_000;

export type DemoOptions = {
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
  readonly today: Date;
  /** Reads the vendor's catalog at once. */
  readonly refreshCatalog: () => Promise<void>;
};

/**
 * Runs the demo on the two simulators and waits for each step on the other side. Null if a side is a real system, or if the org has deals
 * already, because those are the user's.
 */
export async function runDemo(endpoints: Endpoints, options: DemoOptions): Promise<Outcome | null> {
  if (endpoints.vendor === null || endpoints.salesforce === null) return null;
  const crm = crmSide(endpoints.salesforce);
  const vendor = vendorSide(endpoints.vendor);
  const known = (await crm.opportunities()).length;
  if (known > 0) {
    options.print(`Your ${known} opportunities are still there, with ${(await vendor.leads()).length} at the vendor.`);
    return null;
  }
  const began = performance.now();
  const completed = await runSteps({ crm, vendor, options });
  const outcome = await untilBothAgree({ crm, vendor, options }, completed, () => performance.now() - began);
  const seconds = (outcome.elapsedMs / 1000).toFixed(1);
  options.print(
    outcome.converged
      ? `Both sides agree: ${outcome.created} records made, ${outcome.adopted} adopted, in ${seconds} s.`
      : `The sides do not agree after ${seconds} s; the Temporal UI and the logs show why.`,
  );
  return outcome;
}

type Sides = { readonly crm: CrmSide; readonly vendor: VendorSide; readonly options: DemoOptions };

/** True if every step was seen on the other side; otherwise prints what was missing. */
async function runSteps({ crm, vendor, options }: Sides): Promise<boolean> {
  const { print, signal, today, refreshCatalog } = options;
  try {
    const catalog = await readCatalog(crm);
    const context: StepContext = { crm, vendor, print, signal, today, catalog, refreshCatalog };
    print('A lead, in Salesforce and at the vendor');
    const lead = await leadShared(context);
    print('From Salesforce to the vendor');
    const first = await crmShares(context);
    await createAnswerLost(context);
    await referenceTaken(context);
    print('From the vendor to Salesforce');
    const entered = await vendorOrders(context, first);
    const asked = await orderAsked(context, first);
    await catalogAsked(context);
    await beside(context, [(it) => vendorEdits(it, first), vendorCreates, (it) => vendorApproves(it, first)]);
    print('The lead becomes an opportunity');
    await leadConverted(context, lead);
    print('An edit in Salesforce, by webhook');
    await crmEdits(context, first);
    print('Orders of the vendor');
    await beside(context, [(it) => ordersInCrm(it, entered), (it) => orderFound(it, asked)]);
    print('The catalog of the vendor');
    await catalogInCrm(context);
    await priceBookDeal(context);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof NotSeen) && !(thrown instanceof DemoRequestError)) throw thrown;
    print(thrown.message);
    return false;
  }
}

/** Waits until both sides agree after the last writes, then counts. */
async function untilBothAgree(sides: Sides, completed: boolean, elapsedMs: () => number): Promise<Outcome> {
  const { crm, vendor, options } = sides;
  const count = async () => {
    const [vendorLog, violations, salesforceLog, leads, opportunities] = await Promise.all([
      vendor.admin.requests(),
      vendor.admin.violations(),
      crm.admin.requests(),
      vendor.leads(),
      crm.opportunities(),
    ]);
    const evidence = {
      vendorLog,
      violations: violations.length,
      salesforceLog,
      leads,
      opportunities,
      ownRequests: crm.ownRequests(),
    };
    return countOutcome(evidence, completed, elapsedMs());
  };
  if (!completed) return count();
  const look = async () => {
    const outcome = await count();
    return outcome.converged ? outcome : null;
  };
  const limits = { limitMs: AGREE_LIMIT_MS, signal: options.signal };
  return waitFor('both sides showing the same', look, limits).catch((thrown) => {
    if (!(thrown instanceof NotSeen)) throw thrown;
    options.print(thrown.message);
    return count();
  });
}
