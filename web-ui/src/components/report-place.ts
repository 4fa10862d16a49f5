import { createContext, useContext } from 'react';

/**
 * Where a report is read: in the web UI of a Controller, by a shared link, which opens this report only, or from a file that was exported, which has
 * no Controller to ask.
 */
export const ReportPlace = createContext<'controller' | 'shared' | 'file'>('controller');

/** Whether nothing can be requested. */
export const useIsOffline = () => useContext(ReportPlace) === 'file';

/** Whether the report is all there is, with no page to lead to and no Visit to look into. */
export const useIsAlone = () => useContext(ReportPlace) !== 'controller';
