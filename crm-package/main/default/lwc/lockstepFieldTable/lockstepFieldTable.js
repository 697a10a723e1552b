import { api, LightningElement } from 'lwc';

/** Rows of `c/lockstepRows` as a table; on a narrow screen each row is a card with both sides beside each other. */
export default class LockstepFieldTable extends LightningElement {
  /** What the table shows, for screen readers. */
  @api label = 'Fields of the deal on both sides';
  @api fields = [];

  get rows() {
    return this.fields.map((row) => ({ ...row, rowClass: `row row_${row.is}` }));
  }
}
