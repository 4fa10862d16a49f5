/** What an Agent logs of its line; `./http-ae hosts up` looks for them in the logs of others. */
export const connectedWords = 'Connected to';
export const unreachableWords = 'Cannot reach the Controller at';
