// Package scheduler puts a scheduler together, leaf first, and runs it.
//
//	informers ─┐                        ┌─► Writer ─► API server
//	           ▼                        │      │
//	        mailbox ─► loop ─► engine ──┴──────┼─► Observer
//	           ▲                               │
//	           └──────────── outcomes ─────────┘
//
// One goroutine, the loop, owns the engine. It takes what is in the mailbox, then
// makes one decision, and so on; between two decisions it takes at most a thousand
// inputs, so that neither starves. When there is nothing to do it sleeps until
// something arrives or the engine wants a tick.
//
// No decision is made before everything that existed at the start has arrived, and, with
// an election, before this scheduler leads and knows what the last leader did. Until then
// it takes the same inputs, so its queue and cluster are current; effects come only of
// decisions, so it writes nothing. When the term ends, no decision is made any more, binds
// that are out are waited for as long as Grace allows, and Run returns when all goroutines
// have. Run tells the order of things in steps.
package scheduler
