	switch (t->back) {
	default: Uerror("bad return move");
	case  0: goto R999; /* nothing to undo */

		 /* PROC Judge */
;
		;
		
	case 4: // STATE 2
		;
		now.lost = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 6: // STATE 4
		;
		now.forgotten = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 8: // STATE 6
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC Faults */
	case 9: // STATE 5
		sv_restor();
		goto R999;
	case 10: // STATE 37
		sv_restor();
		goto R999;
	case 11: // STATE 68
		sv_restor();
		goto R999;

	case 12: // STATE 72
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC Daemon */
	case 13: // STATE 60
		sv_restor();
		goto R999;
	case 14: // STATE 90
		sv_restor();
		goto R999;
	case 15: // STATE 111
		sv_restor();
		goto R999;
	case 16: // STATE 141
		sv_restor();
		goto R999;
	case 17: // STATE 153
		sv_restor();
		goto R999;
	case 18: // STATE 169
		sv_restor();
		goto R999;

	case 19: // STATE 173
		;
		p_restor(II);
		;
		;
		goto R999;

		 /* PROC Server */
	case 20: // STATE 15
		sv_restor();
		goto R999;
	case 21: // STATE 29
		sv_restor();
		goto R999;
	case 22: // STATE 48
		sv_restor();
		goto R999;

	case 23: // STATE 52
		;
		p_restor(II);
		;
		;
		goto R999;
	}

