import { api, LightningElement } from 'lwc';

/** Stands in for `lightning-relative-date-time`, with a fixed answer, because pictures are compared. */
export default class RelativeDateTime extends LightningElement {
  @api value;

  get text() {
    return this.value ? '2 minutes ago' : '';
  }
}
