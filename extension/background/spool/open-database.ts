/** The extension's one database: the Visits that wait, and the Pass under way. It outlives the background and the browser. */
export function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('http-ae', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('visits', { autoIncrement: true }).createIndex('id', 'visit.id');
    request.result.createObjectStore('pass');
  };
  return answerOf(request);
}

export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
  return promise;
}

/** Resolves when it is on the disk. */
export function endOf(transaction: IDBTransaction): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  transaction.oncomplete = () => resolve();
  transaction.onabort = () => reject(transaction.error);
  return promise;
}
