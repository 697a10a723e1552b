import { choose, lookAgain, requestSync, sentenceOf, TAKE_OURS, TAKE_THEIRS } from 'c/lockstepActions';
import { rowsOf } from 'c/lockstepRows';
import { NavigationMixin } from 'lightning/navigation';
import { getListRecordsByName } from 'lightning/uiListsApi';
import { LightningElement, wire } from 'lwc';

const named = (name) => `Lockstep_Sync__c.${name}`;
const PAGE = 20;
const MOST = 200;

/** The deals of the list view of conflicts, both sides beside each other; the user's own rights decide which. */
export default class LockstepConflicts extends NavigationMixin(LightningElement) {
  records = [];
  choices = {};
  error = '';
  notice = '';
  isLoaded = false;
  hasMore = false;
  pageSize = PAGE;
  ends = [];

  fields = ['Id', 'Opportunity__c', 'Opportunity__r.Name'].map(named);
  moreFields = ['State_In_Words__c', 'Message__c', 'Resolve__c', 'Field_States__c', 'Field_Values__c'].map(named);

  @wire(getListRecordsByName, {
    objectApiName: 'Lockstep_Sync__c',
    listViewApiName: 'Conflicts',
    fields: '$fields',
    optionalFields: '$moreFields',
    pageSize: '$pageSize',
  })
  wiredRows({ data, error }) {
    if (error) this.error = sentenceOf(error);
    if (!data) return;
    this.isLoaded = true;
    this.records = data.records;
    this.hasMore = Boolean(data.nextPageToken) && this.pageSize < MOST;
  }

  disconnectedCallback() {
    for (const end of this.ends) end();
  }

  get deals() {
    return this.records.map((record) => dealOf(record, this.choices[record.id]));
  }

  get isEmpty() {
    return this.isLoaded && this.records.length === 0;
  }

  get title() {
    const count = this.records.length;
    return count === 0 ? 'Conflicts' : `Conflicts (${count}${this.hasMore ? '+' : ''})`;
  }

  handleMore() {
    this.pageSize = Math.min(this.pageSize + PAGE, MOST);
  }

  handleOpen(event) {
    event.preventDefault();
    const { opportunity: recordId } = event.currentTarget.dataset;
    this[NavigationMixin.Navigate]({
      type: 'standard__recordPage',
      attributes: { recordId, objectApiName: 'Opportunity', actionName: 'view' },
    });
  }

  handleOurs(event) {
    return this.take(event.currentTarget.dataset.deal, TAKE_OURS);
  }

  handleTheirs(event) {
    return this.take(event.currentTarget.dataset.deal, TAKE_THEIRS);
  }

  async take(id, choice) {
    const { opportunityId, name } = this.deals.find((deal) => deal.id === id);
    this.error = '';
    this.choices = { ...this.choices, [id]: choice };
    try {
      await choose(id, choice);
      await requestSync(opportunityId).catch(() => undefined);
      this.notice = `${name}: ${choice}. Lockstep follows within minutes.`;
      this.ends = [...this.ends, lookAgain(id)];
    } catch (error) {
      this.error = `${name}: ${sentenceOf(error)}`;
      const { [id]: _, ...others } = this.choices;
      this.choices = others;
    }
  }
}

function dealOf({ id, fields }, chosen) {
  const value = (name) => fields[name]?.value ?? null;
  const opportunityId = value('Opportunity__c');
  const choice = value('Resolve__c') ?? chosen ?? null;
  const rows = rowsOf({
    states: value('Field_States__c'),
    values: value('Field_Values__c'),
    record: null,
    seesValues: fields.Field_Values__c !== undefined,
  }).filter(({ is }) => is === 'conflict');
  return {
    id,
    opportunityId,
    url: `/${opportunityId}`,
    name: fields.Opportunity__r?.value?.fields.Name.value ?? opportunityId,
    words: value('State_In_Words__c'),
    message: value('Message__c'),
    choice,
    isDecided: choice !== null,
    rows,
    isWithoutRows: rows.length === 0,
  };
}
