import { choose, lookAgain, requestSync, sentenceOf, TAKE_OURS, TAKE_THEIRS } from 'c/lockstepActions';
import { fieldsOfDeal, rowsOf } from 'c/lockstepRows';
import { getRecord } from 'lightning/uiRecordApi';
import { getRelatedListRecords } from 'lightning/uiRelatedListApi';
import { api, LightningElement, wire } from 'lwc';

/** The sync rows of a deal, by the object of the deal. Names as text, because an org may have no parts for leads. */
const SYNC_ROWS = {
  Opportunity: { object: 'Lockstep_Sync__c', list: 'Lockstep_Syncs__r' },
  Lead: { object: 'Lockstep_Lead_Sync__c', list: 'Lockstep_Lead_Syncs__r' },
};
const PARENT = ['Lockstep_Sync__c.Opportunity__c'];
/** What every user of Lockstep may read; the values have a permission set of their own. */
const SYNC_FIELDS = ['Id', 'Sync_State__c'];
const MORE_FIELDS = [
  'State_In_Words__c',
  'Message__c',
  'Resolve__c',
  'Last_Synced__c',
  'Field_States__c',
  'Field_Values__c',
];
const BADGES = {
  'In sync': 'pill pill_good',
  Conflict: 'pill pill_bad',
  Parked: 'pill pill_bad',
  'Vendor missing': 'pill pill_bad',
  'Closed at vendor': 'pill pill_bad',
};
/** States in which something was refused, so that a sync is another try. */
const RETRIED = new Set(['Parked', 'Vendor missing']);

/** Both sides of a deal, on the page of an opportunity, of its sync row, or of a lead. */
export default class LockstepSides extends LightningElement {
  @api recordId;
  @api objectApiName;

  sync = null;
  states;
  values;
  seesValues = false;
  record = null;
  error = '';
  notice = '';
  isBusy = false;
  isOpen = false;
  isLoaded = false;
  parentId;
  endLooks = () => undefined;

  get dealObject() {
    return this.objectApiName === 'Lead' ? 'Lead' : 'Opportunity';
  }

  get syncRowId() {
    return this.objectApiName === 'Lockstep_Sync__c' ? this.recordId : undefined;
  }

  get dealId() {
    return this.syncRowId === undefined ? this.recordId : this.parentId;
  }

  parentFields = PARENT;

  get relatedListId() {
    return SYNC_ROWS[this.dealObject].list;
  }

  get syncFields() {
    return SYNC_FIELDS.map((name) => this.named(name));
  }

  get moreFields() {
    return MORE_FIELDS.map((name) => this.named(name));
  }

  get sortBy() {
    return [`-${this.named('LastModifiedDate')}`];
  }

  get dealFields() {
    const fields = fieldsOfDeal(this.states, this.dealObject);
    return fields.length === 0 ? undefined : fields;
  }

  /** A field of the sync row as the data service names it. */
  named(name) {
    return `${SYNC_ROWS[this.dealObject].object}.${name}`;
  }

  @wire(getRecord, { recordId: '$syncRowId', fields: '$parentFields' })
  wiredParent({ data, error }) {
    if (data) this.parentId = data.fields.Opportunity__c.value;
    if (error) this.fail(error);
  }

  @wire(getRelatedListRecords, {
    parentRecordId: '$dealId',
    relatedListId: '$relatedListId',
    fields: '$syncFields',
    optionalFields: '$moreFields',
    sortBy: '$sortBy',
    pageSize: 1,
  })
  wiredSync({ data, error }) {
    if (error) this.fail(error);
    if (!data) return;
    this.isLoaded = true;
    const [row] = data.records;
    this.sync = row === undefined ? null : shownSync(row);
    this.states = row?.fields.Field_States__c?.value;
    this.values = row?.fields.Field_Values__c?.value;
    this.seesValues = row?.fields.Field_Values__c !== undefined;
  }

  @wire(getRecord, { recordId: '$dealId', optionalFields: '$dealFields' })
  wiredDeal({ data, error }) {
    if (data) this.record = data;
    if (error) this.fail(error);
  }

  disconnectedCallback() {
    this.endLooks();
  }

  get rows() {
    const { states, values, seesValues } = this;
    return rowsOf({ states, values, seesValues, record: this.record ?? { fields: {} } });
  }

  get differences() {
    return this.rows.filter(({ isSame }) => !isSame);
  }

  get same() {
    return this.rows.filter(({ isSame }) => isSame);
  }

  get hasDifferences() {
    return this.differences.length > 0;
  }

  get isWithoutFields() {
    return this.rows.length === 0;
  }

  get isLoading() {
    return !this.isLoaded && this.error === '';
  }

  get notSharedText() {
    return `This ${this.dealObject.toLowerCase()} is not shared with the vendor yet. Tick “Vendor: share” to share it.`;
  }

  get isNotShared() {
    return this.isLoaded && this.sync === null;
  }

  get stateClass() {
    return BADGES[this.sync.state] ?? 'pill';
  }

  get askLabel() {
    return RETRIED.has(this.sync.state) ? 'Retry' : 'Sync now';
  }

  get hasConflict() {
    return this.sync.state === 'Conflict' || this.sync.state === 'Closed at vendor';
  }

  get question() {
    if (this.sync.state === 'Closed at vendor') return 'The vendor closed this deal. Whose status stays?';
    const count = this.rows.filter(({ is }) => is === 'conflict').length;
    return count < 2
      ? 'Both sides changed this deal. Whose value stays?'
      : `Both sides changed ${count} fields. Whose values stay?`;
  }

  get cannotChoose() {
    return this.isBusy || Boolean(this.sync.choice);
  }

  get sameLabel() {
    const count = this.same.length;
    return `${this.isOpen ? 'Hide' : 'Show'} ${count} ${count === 1 ? 'field that is' : 'fields that are'} the same`;
  }

  get isOpenText() {
    return String(this.isOpen);
  }

  handleToggle() {
    this.isOpen = !this.isOpen;
  }

  handleSync() {
    return this.run(() => requestSync(this.dealId), 'Lockstep looks at both sides now.');
  }

  handleOurs() {
    return this.take(TAKE_OURS);
  }

  handleTheirs() {
    return this.take(TAKE_THEIRS);
  }

  /** The choice counts even for a user who may not have Lockstep follow at once. */
  take(choice) {
    const chosen = async () => {
      await choose(this.sync.id, choice);
      await requestSync(this.dealId).catch(() => undefined);
    };
    return this.run(chosen, `Chosen: ${choice}. Lockstep follows within minutes.`);
  }

  async run(action, notice) {
    this.isBusy = true;
    this.error = '';
    this.notice = '';
    try {
      await action();
      this.notice = notice;
      this.endLooks();
      this.endLooks = lookAgain(this.sync.id);
    } catch (error) {
      this.fail(error);
    } finally {
      this.isBusy = false;
    }
  }

  fail(error) {
    this.error = sentenceOf(error);
  }
}

function shownSync({ id, fields }) {
  const value = (name) => fields[name]?.value ?? null;
  return {
    id,
    state: value('Sync_State__c'),
    words: value('State_In_Words__c'),
    message: value('Message__c'),
    choice: value('Resolve__c'),
    lastSynced: value('Last_Synced__c'),
  };
}
