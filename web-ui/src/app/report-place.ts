import { createContext, useContext } from 'react';

/** Where a report is read: in the web UI of a Controller, or from a file that was exported, which has no Controller to ask. */
export const ReportPlace = createContext<'controller' | 'file'>('controller');

export const useIsOffline = () => useContext(ReportPlace) === 'file';
