/** The numbers of a user's status (docs/api-contract.md#statuses); only active users sign in. */
export const USER_STATUS = { inactive: 0, active: 1, invited: 2, archived: 3 };
