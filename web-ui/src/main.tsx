import './app/refuse-eval.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sessionQuery } from './api/queries.ts';
import { App } from './app/app.tsx';
import { queryClient } from './app/query-client.ts';

// Asked for while the script of the page still comes; who needs it tells what went wrong.
if (location.pathname !== '/sign-in') queryClient.query(sessionQuery).catch(() => undefined);
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
