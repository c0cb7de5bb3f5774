import type { Caller } from '../security/caller.js';

/** The person at the command line may do everything, and is not a user. */
export const ADMINISTRATOR: Caller = {
  id: '0',
  login: '',
  title: '',
  administrator: true,
  processEngine: false,
  sysadmin: true,
  locale: 'en',
  tokenId: '0',
  browserSessionId: null,
  expiration: '',
  validUntil: Infinity,
  provenUntil: Infinity,
  isKey: false,
};
