import './app/refuse-eval.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sessionQuery } from './api/queries.ts';
import { App } from './app/app.tsx';
import { queryClient } from './app/query-client.ts';

// Requested while the script of the page still loads. The page that needs it shows the error.
if (!['/sign-in', '/shared'].includes(location.pathname)) queryClient.query(sessionQuery).catch(() => undefined);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
