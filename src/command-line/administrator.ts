import type { Caller } from '../security/caller.js';

/** Who works at the command line may do everything, and is no user. */
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
