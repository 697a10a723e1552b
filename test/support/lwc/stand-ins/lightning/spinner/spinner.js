import { api, LightningElement } from 'lwc';

/** Stands in for `lightning-spinner`. */
export default class Spinner extends LightningElement {
  @api alternativeText;
  @api size;
}
