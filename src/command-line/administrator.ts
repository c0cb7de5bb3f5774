import { Rights } from '../base/rights/rights.js';
import type { Caller } from '../security/caller.js';

/** The person at the command line may do everything, and is not a user. */
export const ADMINISTRATOR: Caller = {
  id: '0',
  login: '',
  title: '',
  rights: Rights.ofSysadmin,
  sysadmin: true,
  locale: 'en',
  tokenId: '0',
  browserSessionId: null,
  expiration: '',
  validUntil: Infinity,
  provenUntil: Infinity,
  addsSecondStep: false,
  isKey: false,
  isService: false,
  agent: null,
  callsPerMinute: null,
};
