import { notifyRecordUpdateAvailable, updateRecord } from 'lightning/uiRecordApi';

/** The choices of `Lockstep_Sync__c.Resolve__c`. */
export const TAKE_OURS = "Keep Salesforce's";
export const TAKE_THEIRS = "Take the vendor's";

/** When the page looks at the sync row again after a request, in milliseconds. */
export const LOOKS_AFTER_MS = [3_000, 10_000, 30_000];

/** Has Lockstep look at both sides now, and send again what was refused. Needs edit access to the opportunity or lead. */
export function requestSync(dealId) {
  return updateRecord({ fields: { Id: dealId, Lockstep_Sync_Asked__c: new Date().toISOString() } });
}

/** Stores the side whose values stay in all conflicts of a deal. Lockstep follows within minutes, or at once after `requestSync`. */
export function choose(syncId, choice) {
  return updateRecord({ fields: { Id: syncId, Resolve__c: choice } });
}

/** Reads a sync row again some times. Returns a function that ends it. */
export function lookAgain(syncId) {
  const timers = LOOKS_AFTER_MS.map((ms) => setTimeout(() => notifyRecordUpdateAvailable([{ recordId: syncId }]), ms));
  return () => timers.forEach(clearTimeout);
}

/** The sentence of a refusal by Salesforce. */
export function sentenceOf(error) {
  const { body } = error ?? {};
  const output = body?.output;
  const fields = Object.values(output?.fieldErrors ?? {}).flat();
  const [first] = [...(output?.errors ?? []), ...fields];
  return first?.message ?? body?.message ?? error?.message ?? 'Salesforce did not take it.';
}
