#define rand	pan_rand
#define pthread_equal(a,b)	((a)==(b))
#if defined(HAS_CODE) && defined(VERBOSE)
	#ifdef BFS_PAR
		bfs_printf("Pr: %d Tr: %d\n", II, t->forw);
	#else
		cpu_printf("Pr: %d Tr: %d\n", II, t->forw);
	#endif
#endif
	switch (t->forw) {
	default: Uerror("bad forward move");
	case 0:	/* if without executable clauses */
		continue;
	case 1: /* generic 'goto' or 'skip' */
		IfNotBlocked
		_m = 3; goto P999;
	case 2: /* generic 'else' */
		IfNotBlocked
		if (trpt->o_pm&1) continue;
		_m = 3; goto P999;

		 /* PROC Judge */
	case 3: // STATE 1 - inbound.pml:270 - [(timeout)] (0:0:0 - 1)
		IfNotBlocked
		reached[3][1] = 1;
		if (!(((trpt->tau)&1)))
			continue;
		_m = 1; goto P999; /* 0 */
	case 4: // STATE 2 - inbound.pml:271 - [lost = (lost||!((shown==((1<<(3+1))-2))))] (0:0:1 - 1)
		IfNotBlocked
		reached[3][2] = 1;
		(trpt+1)->bup.oval = ((int)now.lost);
		now.lost = (((int)now.lost)|| !((((int)now.shown)==((1<<(3+1))-2))));
#ifdef VAR_RANGES
		logval("lost", ((int)now.lost));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 5: // STATE 3 - inbound.pml:271 - [assert(!(lost))] (0:0:0 - 1)
		IfNotBlocked
		reached[3][3] = 1;
		spin_assert( !(((int)now.lost)), " !(lost)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 6: // STATE 4 - inbound.pml:272 - [forgotten = (forgotten||!(presence))] (0:0:1 - 1)
		IfNotBlocked
		reached[3][4] = 1;
		(trpt+1)->bup.oval = ((int)now.forgotten);
		now.forgotten = (((int)now.forgotten)|| !(((int)now.presence)));
#ifdef VAR_RANGES
		logval("forgotten", ((int)now.forgotten));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 7: // STATE 5 - inbound.pml:272 - [assert(!(forgotten))] (0:0:0 - 1)
		IfNotBlocked
		reached[3][5] = 1;
		spin_assert( !(((int)now.forgotten)), " !(forgotten)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 8: // STATE 6 - inbound.pml:273 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[3][6] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC Faults */
	case 9: // STATE 5 - inbound.pml:236 - [D_STEP236]
		if (!(boq == -1 && ((now.link==2)&&(((int)now.cuts)<2))))
			continue;

		reached[2][5] = 1;
		reached[2][t->st] = 1;
		reached[2][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_225_0: /* 2 */
		if (!(((now.link==2)&&(((int)now.cuts)<2))))
			Uerror("block in d_step seq");
S_226_0: /* 2 */
		now.cuts = (((int)now.cuts)+1);
#ifdef VAR_RANGES
		logval("cuts", ((int)now.cuts));
#endif
		;
S_227_0: /* 2 */
		now.link = 1;
#ifdef VAR_RANGES
		logval("link", now.link);
#endif
		;
S_228_0: /* 2 */
		now.attached = 0;
#ifdef VAR_RANGES
		logval("attached", ((int)now.attached));
#endif
		;
		goto S_294_0;
S_294_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 10: // STATE 37 - inbound.pml:237 - [D_STEP237]
		if (!(boq == -1 && (((int)now.crashes)<1)))
			continue;

		reached[2][37] = 1;
		reached[2][t->st] = 1;
		reached[2][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_230_0: /* 2 */
		if (!((((int)now.crashes)<1)))
			Uerror("block in d_step seq");
S_231_0: /* 2 */
		now.crashes = (((int)now.crashes)+1);
#ifdef VAR_RANGES
		logval("crashes", ((int)now.crashes));
#endif
		;
S_244_0: /* 2 */
S_232_0: /* 2 */
		now.link = 3;
#ifdef VAR_RANGES
		logval("link", now.link);
#endif
		;
S_233_0: /* 2 */
		now.attached = 0;
#ifdef VAR_RANGES
		logval("attached", ((int)now.attached));
#endif
		;
S_234_0: /* 2 */
		now.told = 0;
#ifdef VAR_RANGES
		logval("told", ((int)now.told));
#endif
		;
S_235_0: /* 2 */
		now.place = 0;
#ifdef VAR_RANGES
		logval("place", ((int)now.place));
#endif
		;
S_243_0: /* 2 */
S_241_0: /* 2 */
S_240_0: /* 2 */
S_236_0: /* 2 */
		if (!((q_len(now.wire)>0)))
			goto S_240_1;
S_237_0: /* 2 */
		if (q_len(now.wire) == 0) Uerror("block in d_step seq");

		XX=1;
		((P2 *)_this)->stanza = qrecv(now.wire, XX-1, 0, 1);
#ifdef VAR_RANGES
		logval("Faults:stanza", ((int)((P2 *)_this)->stanza));
#endif
		;
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.wire);
		sprintf(simtmp, "%d", ((int)((P2 *)_this)->stanza)); strcat(simvals, simtmp);		}
#endif
		;
		goto S_241_0; /* ';' */
S_240_1: /* 3 */
S_238_0: /* 2 */
		if (!((q_len(now.wire)==0)))
			goto S_240_2;
S_239_0: /* 2 */
		goto S_249_0;	/* 'goto' */
S_240_2: /* 3 */
		Uerror("blocking sel in d_step (nr.0, near line 42)");
S_242_0: /* 2 */
		goto S_249_0;	/* 'break' */
		goto S_250_0;
S_250_0: /* 2 */
S_249_0: /* 2 */
S_245_0: /* 2 */
		if (!((q_len(now.log)>0)))
			goto S_249_1;
S_246_0: /* 2 */
		if (q_len(now.log) == 0) Uerror("block in d_step seq");

		XX=1;
		((P2 *)_this)->kind = qrecv(now.log, XX-1, 0, 0);
#ifdef VAR_RANGES
		logval("Faults:kind", ((P2 *)_this)->kind);
#endif
		;
		((P2 *)_this)->stanza = qrecv(now.log, XX-1, 1, 0);
#ifdef VAR_RANGES
		logval("Faults:stanza", ((int)((P2 *)_this)->stanza));
#endif
		;
		((P2 *)_this)->number = qrecv(now.log, XX-1, 2, 1);
#ifdef VAR_RANGES
		logval("Faults:number", ((int)((P2 *)_this)->number));
#endif
		;
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.log);
		sprintf(simtmp, "%d", ((P2 *)_this)->kind); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", ((int)((P2 *)_this)->stanza)); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", ((int)((P2 *)_this)->number)); strcat(simvals, simtmp);		}
#endif
		;
		goto S_250_0; /* ';' */
S_249_1: /* 3 */
S_247_0: /* 2 */
		if (!((q_len(now.log)==0)))
			goto S_249_2;
S_248_0: /* 2 */
		goto S_256_0;	/* 'goto' */
S_249_2: /* 3 */
		Uerror("blocking sel in d_step (nr.1, near line 239)");
S_251_0: /* 2 */
		goto S_256_0;	/* 'break' */
S_256_0: /* 2 */
S_252_0: /* 2 */
		now.stream = ((int)now.knownID);
#ifdef VAR_RANGES
		logval("stream", ((int)now.stream));
#endif
		;
S_253_0: /* 2 */
		now.count = ((int)now.knownCount);
#ifdef VAR_RANGES
		logval("count", ((int)now.count));
#endif
		;
S_254_0: /* 2 */
		now.covered = ((int)now.knownCount);
#ifdef VAR_RANGES
		logval("covered", ((int)now.covered));
#endif
		;
S_255_0: /* 2 */
		now.appended = ((int)now.messages);
#ifdef VAR_RANGES
		logval("appended", ((int)now.appended));
#endif
		;
		goto S_257_0;
S_257_0: /* 2 */
		now.announced = 0;
#ifdef VAR_RANGES
		logval("announced", ((int)now.announced));
#endif
		;
S_258_0: /* 2 */
		((P2 *)_this)->kind = 0;
#ifdef VAR_RANGES
		logval("Faults:kind", ((P2 *)_this)->kind);
#endif
		;
S_259_0: /* 2 */
		((P2 *)_this)->stanza = 0;
#ifdef VAR_RANGES
		logval("Faults:stanza", ((int)((P2 *)_this)->stanza));
#endif
		;
S_260_0: /* 2 */
		((P2 *)_this)->number = 0;
#ifdef VAR_RANGES
		logval("Faults:number", ((int)((P2 *)_this)->number));
#endif
		;
		goto S_294_0; /* ';' */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 11: // STATE 68 - inbound.pml:253 - [D_STEP253]
		if (!(boq == -1 && ((q_len(now.log)>0)&&(((int)now.failures)<1))))
			continue;

		reached[2][68] = 1;
		reached[2][t->st] = 1;
		reached[2][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_262_0: /* 2 */
		if (!(((q_len(now.log)>0)&&(((int)now.failures)<1))))
			Uerror("block in d_step seq");
S_263_0: /* 2 */
		now.failures = (((int)now.failures)+1);
#ifdef VAR_RANGES
		logval("failures", ((int)now.failures));
#endif
		;
S_269_0: /* 2 */
S_268_0: /* 2 */
S_264_0: /* 2 */
		if (!((q_len(now.log)>0)))
			goto S_268_1;
S_265_0: /* 2 */
		if (q_len(now.log) == 0) Uerror("block in d_step seq");

		XX=1;
		((P2 *)_this)->kind = qrecv(now.log, XX-1, 0, 0);
#ifdef VAR_RANGES
		logval("Faults:kind", ((P2 *)_this)->kind);
#endif
		;
		((P2 *)_this)->stanza = qrecv(now.log, XX-1, 1, 0);
#ifdef VAR_RANGES
		logval("Faults:stanza", ((int)((P2 *)_this)->stanza));
#endif
		;
		((P2 *)_this)->number = qrecv(now.log, XX-1, 2, 1);
#ifdef VAR_RANGES
		logval("Faults:number", ((int)((P2 *)_this)->number));
#endif
		;
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.log);
		sprintf(simtmp, "%d", ((P2 *)_this)->kind); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", ((int)((P2 *)_this)->stanza)); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", ((int)((P2 *)_this)->number)); strcat(simvals, simtmp);		}
#endif
		;
		goto S_269_0; /* ';' */
S_268_1: /* 3 */
S_266_0: /* 2 */
		if (!((q_len(now.log)==0)))
			goto S_268_2;
S_267_0: /* 2 */
		goto S_283_0;	/* 'goto' */
S_268_2: /* 3 */
		Uerror("blocking sel in d_step (nr.2, near line 254)");
S_270_0: /* 2 */
		goto S_283_0;	/* 'break' */
S_283_0: /* 2 */
S_271_0: /* 2 */
		now.link = 3;
#ifdef VAR_RANGES
		logval("link", now.link);
#endif
		;
S_272_0: /* 2 */
		now.attached = 0;
#ifdef VAR_RANGES
		logval("attached", ((int)now.attached));
#endif
		;
S_273_0: /* 2 */
		now.told = 0;
#ifdef VAR_RANGES
		logval("told", ((int)now.told));
#endif
		;
S_274_0: /* 2 */
		now.place = 0;
#ifdef VAR_RANGES
		logval("place", ((int)now.place));
#endif
		;
S_282_0: /* 2 */
S_280_0: /* 2 */
S_279_0: /* 2 */
S_275_0: /* 2 */
		if (!((q_len(now.wire)>0)))
			goto S_279_1;
S_276_0: /* 2 */
		if (q_len(now.wire) == 0) Uerror("block in d_step seq");

		XX=1;
		((P2 *)_this)->stanza = qrecv(now.wire, XX-1, 0, 1);
#ifdef VAR_RANGES
		logval("Faults:stanza", ((int)((P2 *)_this)->stanza));
#endif
		;
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.wire);
		sprintf(simtmp, "%d", ((int)((P2 *)_this)->stanza)); strcat(simvals, simtmp);		}
#endif
		;
		goto S_280_0; /* ';' */
S_279_1: /* 3 */
S_277_0: /* 2 */
		if (!((q_len(now.wire)==0)))
			goto S_279_2;
S_278_0: /* 2 */
		goto S_288_0;	/* 'goto' */
S_279_2: /* 3 */
		Uerror("blocking sel in d_step (nr.3, near line 42)");
S_281_0: /* 2 */
		goto S_288_0;	/* 'break' */
		goto S_288_0;
		goto S_288_0;
S_288_0: /* 2 */
S_284_0: /* 2 */
		now.stream = ((int)now.knownID);
#ifdef VAR_RANGES
		logval("stream", ((int)now.stream));
#endif
		;
S_285_0: /* 2 */
		now.count = ((int)now.knownCount);
#ifdef VAR_RANGES
		logval("count", ((int)now.count));
#endif
		;
S_286_0: /* 2 */
		now.covered = ((int)now.knownCount);
#ifdef VAR_RANGES
		logval("covered", ((int)now.covered));
#endif
		;
S_287_0: /* 2 */
		now.appended = ((int)now.messages);
#ifdef VAR_RANGES
		logval("appended", ((int)now.appended));
#endif
		;
		goto S_289_0;
S_289_0: /* 2 */
		((P2 *)_this)->kind = 0;
#ifdef VAR_RANGES
		logval("Faults:kind", ((P2 *)_this)->kind);
#endif
		;
S_290_0: /* 2 */
		((P2 *)_this)->stanza = 0;
#ifdef VAR_RANGES
		logval("Faults:stanza", ((int)((P2 *)_this)->stanza));
#endif
		;
S_291_0: /* 2 */
		((P2 *)_this)->number = 0;
#ifdef VAR_RANGES
		logval("Faults:number", ((int)((P2 *)_this)->number));
#endif
		;
		goto S_294_0; /* ';' */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 12: // STATE 72 - inbound.pml:266 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[2][72] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC Daemon */
	case 13: // STATE 60 - inbound.pml:204 - [D_STEP204]
		if (!(boq == -1 && (now.link==3)))
			continue;

		reached[1][60] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_052_0: /* 2 */
		if (!((now.link==3)))
			Uerror("block in d_step seq");
S_107_0: /* 2 */
S_053_0: /* 2 */
		if (!((((int)now.session)&&(((int)now.stream)==((int)now.id)))))
			goto S_107_1;
S_079_0: /* 2 */
S_054_0: /* 2 */
		now.refused = (((int)now.refused)|| !((((int)now.covered)>=((int)now.acknowledged))));
#ifdef VAR_RANGES
		logval("refused", ((int)now.refused));
#endif
		;
S_055_0: /* 2 */
		spin_assert( !(((int)now.refused)), " !(refused)", II, tt, t);
S_064_0: /* 2 */
S_062_0: /* 2 */
S_061_0: /* 2 */
S_056_0: /* 2 */
		if (!((((int)now.acknowledged)<((int)now.covered))))
			goto S_061_1;
S_057_0: /* 2 */
		if (q_len(now.held) == 0) Uerror("block in d_step seq");

		XX=1;
		qrecv(now.held, XX-1, 0, 1);
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.held);
		sprintf(simtmp, "%d", ((int)_)); strcat(simvals, simtmp);		}
#endif
		;
S_058_0: /* 2 */
		now.acknowledged = (((int)now.acknowledged)+1);
#ifdef VAR_RANGES
		logval("acknowledged", ((int)now.acknowledged));
#endif
		;
		goto S_062_0; /* ';' */
S_061_1: /* 3 */
S_059_0: /* 2 */
		/* else */;
S_060_0: /* 2 */
		goto S_065_0;	/* 'goto' */
S_061_2: /* 3 */
		Uerror("blocking sel in d_step (nr.4, near line 48)");
S_063_0: /* 2 */
		goto S_065_0;	/* 'break' */
		goto S_065_0;
S_065_0: /* 2 */
		now.place = ((int)now.covered);
#ifdef VAR_RANGES
		logval("place", ((int)now.place));
#endif
		;
S_066_0: /* 2 */
		now.attached = 1;
#ifdef VAR_RANGES
		logval("attached", ((int)now.attached));
#endif
		;
S_067_0: /* 2 */
		((P1 *)_this)->stanza = q_len(now.held);
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
S_076_0: /* 2 */
S_075_0: /* 2 */
S_068_0: /* 2 */
		if (!((((int)((P1 *)_this)->stanza)>0)))
			goto S_075_1;
S_069_0: /* 2 */
		if (q_len(now.held) == 0) Uerror("block in d_step seq");

		XX=1;
		now.place = qrecv(now.held, XX-1, 0, 1);
#ifdef VAR_RANGES
		logval("place", ((int)now.place));
#endif
		;
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.held);
		sprintf(simtmp, "%d", ((int)now.place)); strcat(simvals, simtmp);		}
#endif
		;
S_070_0: /* 2 */
		if (q_full(now.held))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.held);
		sprintf(simtmp, "%d", ((int)now.place)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.held, 0, ((int)now.place), 0, 0, 1);
S_071_0: /* 2 */
		if (q_full(now.wire))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.wire);
		sprintf(simtmp, "%d", ((int)now.place)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.wire, 0, ((int)now.place), 0, 0, 1);
S_072_0: /* 2 */
		((P1 *)_this)->stanza = (((int)((P1 *)_this)->stanza)-1);
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
		goto S_076_0; /* ';' */
S_075_1: /* 3 */
S_073_0: /* 2 */
		/* else */;
S_074_0: /* 2 */
		goto S_078_0;	/* 'goto' */
S_075_2: /* 3 */
		Uerror("blocking sel in d_step (nr.5, near line 122)");
S_077_0: /* 2 */
		goto S_078_0;	/* 'break' */
S_078_0: /* 2 */
		now.place = ((int)now.covered);
#ifdef VAR_RANGES
		logval("place", ((int)now.place));
#endif
		;
		goto S_108_0;
S_107_1: /* 3 */
S_080_0: /* 2 */
		/* else */;
S_106_0: /* 2 */
S_095_0: /* 2 */
S_091_0: /* 2 */
S_090_0: /* 2 */
S_081_0: /* 2 */
		if (!((q_len(now.held)>0)))
			goto S_090_1;
S_082_0: /* 2 */
		if (q_len(now.held) == 0) Uerror("block in d_step seq");

		XX=1;
		((P1 *)_this)->stanza = qrecv(now.held, XX-1, 0, 1);
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.held);
		sprintf(simtmp, "%d", ((int)((P1 *)_this)->stanza)); strcat(simvals, simtmp);		}
#endif
		;
S_086_0: /* 2 */
S_083_0: /* 2 */
		if (!((((int)((P1 *)_this)->stanza)!=0)))
			goto S_086_1;
S_084_0: /* 2 */
		if (q_full(now.offline))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.offline);
		sprintf(simtmp, "%d", ((int)((P1 *)_this)->stanza)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.offline, 0, ((int)((P1 *)_this)->stanza), 0, 0, 1);
		goto S_087_0;
S_086_1: /* 3 */
S_085_0: /* 2 */
		/* else */;
		goto S_087_0;
S_086_2: /* 3 */
		Uerror("blocking sel in d_step (nr.6, near line 59)");
S_087_0: /* 2 */
		goto S_091_0; /* '.' */
		goto S_091_0; /* ';' */
S_090_1: /* 3 */
S_088_0: /* 2 */
		if (!((q_len(now.held)==0)))
			goto S_090_2;
S_089_0: /* 2 */
		goto S_093_0;	/* 'goto' */
S_090_2: /* 3 */
		Uerror("blocking sel in d_step (nr.7, near line 56)");
S_092_0: /* 2 */
		goto S_093_0;	/* 'break' */
S_093_0: /* 2 */
		now.session = 0;
#ifdef VAR_RANGES
		logval("session", ((int)now.session));
#endif
		;
S_094_0: /* 2 */
		now.available = 0;
#ifdef VAR_RANGES
		logval("available", ((int)now.available));
#endif
		;
		goto S_096_0;
S_096_0: /* 2 */
		now.session = 1;
#ifdef VAR_RANGES
		logval("session", ((int)now.session));
#endif
		;
S_097_0: /* 2 */
		now.attached = 1;
#ifdef VAR_RANGES
		logval("attached", ((int)now.attached));
#endif
		;
S_098_0: /* 2 */
		now.id = (((int)now.id)+1);
#ifdef VAR_RANGES
		logval("id", ((int)now.id));
#endif
		;
S_099_0: /* 2 */
		now.acknowledged = 0;
#ifdef VAR_RANGES
		logval("acknowledged", ((int)now.acknowledged));
#endif
		;
S_100_0: /* 2 */
		now.stream = ((int)now.id);
#ifdef VAR_RANGES
		logval("stream", ((int)now.stream));
#endif
		;
S_101_0: /* 2 */
		now.place = 0;
#ifdef VAR_RANGES
		logval("place", ((int)now.place));
#endif
		;
S_102_0: /* 2 */
		now.count = 0;
#ifdef VAR_RANGES
		logval("count", ((int)now.count));
#endif
		;
S_103_0: /* 2 */
		now.covered = 0;
#ifdef VAR_RANGES
		logval("covered", ((int)now.covered));
#endif
		;
S_104_0: /* 2 */
		now.announced = 0;
#ifdef VAR_RANGES
		logval("announced", ((int)now.announced));
#endif
		;
S_105_0: /* 2 */
		if (q_full(now.log))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.log);
		sprintf(simtmp, "%d", 7); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", ((int)now.stream)); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", 0); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.log, 0, 7, ((int)now.stream), 0, 3);
		goto S_108_0;
		goto S_108_0;
S_107_2: /* 3 */
		Uerror("blocking sel in d_step (nr.8, near line 205)");
S_108_0: /* 2 */
S_109_0: /* 2 */
		now.link = 2;
#ifdef VAR_RANGES
		logval("link", now.link);
#endif
		;
S_110_0: /* 2 */
		((P1 *)_this)->stanza = 0;
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
		goto S_222_0;
S_222_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 14: // STATE 90 - inbound.pml:210 - [D_STEP210]
		if (!(boq == -1 && ((now.link==2)&& !(((int)now.announced)))))
			continue;

		reached[1][90] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_112_0: /* 2 */
		if (!(((now.link==2)&& !(((int)now.announced)))))
			Uerror("block in d_step seq");
S_113_0: /* 2 */
		now.announced = 1;
#ifdef VAR_RANGES
		logval("announced", ((int)now.announced));
#endif
		;
S_114_0: /* 2 */
		now.available = 1;
#ifdef VAR_RANGES
		logval("available", ((int)now.available));
#endif
		;
S_124_0: /* 2 */
S_115_0: /* 2 */
		if (!(((int)now.present)))
			goto S_124_1;
S_122_0: /* 2 */
S_116_0: /* 2 */
		if (q_full(now.held))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.held);
		sprintf(simtmp, "%d", 0); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.held, 0, 0, 0, 0, 1);
S_120_0: /* 2 */
S_117_0: /* 2 */
		if (!(((int)now.attached)))
			goto S_120_1;
S_118_0: /* 2 */
		if (q_full(now.wire))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.wire);
		sprintf(simtmp, "%d", 0); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.wire, 0, 0, 0, 0, 1);
		goto S_121_0;
S_120_1: /* 3 */
S_119_0: /* 2 */
		/* else */;
		goto S_121_0;
S_120_2: /* 3 */
		Uerror("blocking sel in d_step (nr.9, near line 40)");
S_121_0: /* 2 */
		goto S_125_0;
S_124_1: /* 3 */
S_123_0: /* 2 */
		/* else */;
		goto S_125_0;
S_124_2: /* 3 */
		Uerror("blocking sel in d_step (nr.10, near line 211)");
S_125_0: /* 2 */
S_138_0: /* 2 */
S_137_0: /* 2 */
S_126_0: /* 2 */
		if (!((q_len(now.offline)>0)))
			goto S_137_1;
S_127_0: /* 2 */
		if (q_len(now.offline) == 0) Uerror("block in d_step seq");

		XX=1;
		((P1 *)_this)->stanza = qrecv(now.offline, XX-1, 0, 1);
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.offline);
		sprintf(simtmp, "%d", ((int)((P1 *)_this)->stanza)); strcat(simvals, simtmp);		}
#endif
		;
S_134_0: /* 2 */
S_128_0: /* 2 */
		if (q_full(now.held))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.held);
		sprintf(simtmp, "%d", ((int)((P1 *)_this)->stanza)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.held, 0, ((int)((P1 *)_this)->stanza), 0, 0, 1);
S_132_0: /* 2 */
S_129_0: /* 2 */
		if (!(((int)now.attached)))
			goto S_132_1;
S_130_0: /* 2 */
		if (q_full(now.wire))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.wire);
		sprintf(simtmp, "%d", ((int)((P1 *)_this)->stanza)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.wire, 0, ((int)((P1 *)_this)->stanza), 0, 0, 1);
		goto S_133_0;
S_132_1: /* 3 */
S_131_0: /* 2 */
		/* else */;
		goto S_133_0;
S_132_2: /* 3 */
		Uerror("blocking sel in d_step (nr.11, near line 40)");
S_133_0: /* 2 */
		goto S_138_0; /* '.' */
		goto S_138_0; /* ';' */
		goto S_138_0; /* ';' */
S_137_1: /* 3 */
S_135_0: /* 2 */
		if (!((q_len(now.offline)==0)))
			goto S_137_2;
S_136_0: /* 2 */
		goto S_139_0;	/* 'goto' */
S_137_2: /* 3 */
		Uerror("blocking sel in d_step (nr.12, near line 215)");
S_139_0: /* 2 */
		goto S_140_0;	/* 'break' */
S_140_0: /* 2 */
		((P1 *)_this)->stanza = 0;
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
		goto S_222_0; /* ';' */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 15: // STATE 111 - inbound.pml:220 - [D_STEP220]
		if (!(boq == -1 && (((now.link!=3)&&(q_len(now.wire)>0))&&(!q_full(now.log)))))
			continue;

		reached[1][111] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_142_0: /* 2 */
		if (!((((now.link!=3)&&(q_len(now.wire)>0))&&(!q_full(now.log)))))
			Uerror("block in d_step seq");
S_160_0: /* 2 */
S_143_0: /* 2 */
		if (q_len(now.wire) == 0) Uerror("block in d_step seq");

		XX=1;
		((P1 *)_this)->stanza = qrecv(now.wire, XX-1, 0, 1);
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.wire);
		sprintf(simtmp, "%d", ((int)((P1 *)_this)->stanza)); strcat(simvals, simtmp);		}
#endif
		;
S_144_0: /* 2 */
		now.place = (((int)now.place)+1);
#ifdef VAR_RANGES
		logval("place", ((int)now.place));
#endif
		;
S_158_0: /* 2 */
S_145_0: /* 2 */
		if (!((((int)now.place)<=((int)now.count))))
			goto S_158_1;
S_146_0: /* 2 */
		if (!(1))
			Uerror("block in d_step seq");
		goto S_159_0;
S_158_1: /* 3 */
S_147_0: /* 2 */
		/* else */;
S_148_0: /* 2 */
		now.count = ((int)now.place);
#ifdef VAR_RANGES
		logval("count", ((int)now.count));
#endif
		;
S_156_0: /* 2 */
S_149_0: /* 2 */
		if (!((((int)((P1 *)_this)->stanza)==0)))
			goto S_156_1;
S_150_0: /* 2 */
		if (q_full(now.log))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.log);
		sprintf(simtmp, "%d", 5); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", 0); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", ((int)now.place)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.log, 0, 5, 0, ((int)now.place), 3);
		goto S_157_0;
S_156_1: /* 3 */
S_151_0: /* 2 */
		if (!(((((int)((P1 *)_this)->stanza)!=0)&&(((int)now.appended)&(1<<((int)((P1 *)_this)->stanza))))))
			goto S_156_2;
S_152_0: /* 2 */
		if (q_full(now.log))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.log);
		sprintf(simtmp, "%d", 4); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", 0); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", ((int)now.place)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.log, 0, 4, 0, ((int)now.place), 3);
		goto S_157_0;
S_156_2: /* 3 */
S_153_0: /* 2 */
		/* else */;
S_154_0: /* 2 */
		if (q_full(now.log))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.log);
		sprintf(simtmp, "%d", 6); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", ((int)((P1 *)_this)->stanza)); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", ((int)now.place)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.log, 0, 6, ((int)((P1 *)_this)->stanza), ((int)now.place), 3);
S_155_0: /* 2 */
		now.appended = (((int)now.appended)|(1<<((int)((P1 *)_this)->stanza)));
#ifdef VAR_RANGES
		logval("appended", ((int)now.appended));
#endif
		;
		goto S_157_0;
S_156_3: /* 3 */
		Uerror("blocking sel in d_step (nr.13, near line 148)");
S_157_0: /* 2 */
		goto S_159_0;
S_158_2: /* 3 */
		Uerror("blocking sel in d_step (nr.14, near line 142)");
S_159_0: /* 2 */
		goto S_161_0;
S_161_0: /* 2 */
		((P1 *)_this)->stanza = 0;
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
		goto S_222_0; /* ';' */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 16: // STATE 141 - inbound.pml:221 - [D_STEP221]
		if (!(boq == -1 && (q_len(now.log)>0)))
			continue;

		reached[1][141] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_163_0: /* 2 */
		if (!((q_len(now.log)>0)))
			Uerror("block in d_step seq");
S_188_0: /* 2 */
S_164_0: /* 2 */
		if (q_len(now.log) == 0) Uerror("block in d_step seq");

		XX=1;
		((P1 *)_this)->kind = qrecv(now.log, XX-1, 0, 0);
#ifdef VAR_RANGES
		logval("Daemon:kind", ((P1 *)_this)->kind);
#endif
		;
		((P1 *)_this)->stanza = qrecv(now.log, XX-1, 1, 0);
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
		((P1 *)_this)->number = qrecv(now.log, XX-1, 2, 1);
#ifdef VAR_RANGES
		logval("Daemon:number", ((int)((P1 *)_this)->number));
#endif
		;
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.log);
		sprintf(simtmp, "%d", ((P1 *)_this)->kind); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", ((int)((P1 *)_this)->stanza)); strcat(simvals, simtmp);		strcat(simvals, ",");
		sprintf(simtmp, "%d", ((int)((P1 *)_this)->number)); strcat(simvals, simtmp);		}
#endif
		;
S_177_0: /* 2 */
S_165_0: /* 2 */
		if (!((((P1 *)_this)->kind==7)))
			goto S_177_1;
S_166_0: /* 2 */
		now.knownID = ((int)((P1 *)_this)->stanza);
#ifdef VAR_RANGES
		logval("knownID", ((int)now.knownID));
#endif
		;
S_167_0: /* 2 */
		now.presence = 0;
#ifdef VAR_RANGES
		logval("presence", ((int)now.presence));
#endif
		;
		goto S_178_0;
S_177_1: /* 3 */
S_168_0: /* 2 */
		if (!((((P1 *)_this)->kind==5)))
			goto S_177_2;
S_169_0: /* 2 */
		now.presence = 1;
#ifdef VAR_RANGES
		logval("presence", ((int)now.presence));
#endif
		;
		goto S_178_0;
S_177_2: /* 3 */
S_170_0: /* 2 */
		if (!((((P1 *)_this)->kind==6)))
			goto S_177_3;
S_171_0: /* 2 */
		now.messages = (((int)now.messages)|(1<<((int)((P1 *)_this)->stanza)));
#ifdef VAR_RANGES
		logval("messages", ((int)now.messages));
#endif
		;
S_175_0: /* 2 */
S_172_0: /* 2 */
		now.twice = (((int)now.twice)|| !( !((((int)now.shown)&(1<<((int)((P1 *)_this)->stanza))))));
#ifdef VAR_RANGES
		logval("twice", ((int)now.twice));
#endif
		;
S_173_0: /* 2 */
		spin_assert( !(((int)now.twice)), " !(twice)", II, tt, t);
S_174_0: /* 2 */
		now.shown = (((int)now.shown)|(1<<((int)((P1 *)_this)->stanza)));
#ifdef VAR_RANGES
		logval("shown", ((int)now.shown));
#endif
		;
		goto S_178_0;
		goto S_178_0;
S_177_3: /* 3 */
S_176_0: /* 2 */
		/* else */;
		goto S_178_0;
S_177_4: /* 3 */
		Uerror("blocking sel in d_step (nr.15, near line 175)");
S_178_0: /* 2 */
S_181_0: /* 2 */
S_179_0: /* 2 */
		/* else */;
S_180_0: /* 2 */
		now.knownCount = ((int)((P1 *)_this)->number);
#ifdef VAR_RANGES
		logval("knownCount", ((int)now.knownCount));
#endif
		;
		goto S_182_0;
S_181_1: /* 3 */
		Uerror("blocking sel in d_step (nr.16, near line 185)");
S_182_0: /* 2 */
S_186_0: /* 2 */
S_183_0: /* 2 */
		if (!((((int)now.knownID)==((int)now.stream))))
			goto S_186_1;
S_184_0: /* 2 */
		now.covered = ((int)((P1 *)_this)->number);
#ifdef VAR_RANGES
		logval("covered", ((int)now.covered));
#endif
		;
		goto S_187_0;
S_186_1: /* 3 */
S_185_0: /* 2 */
		/* else */;
		goto S_187_0;
S_186_2: /* 3 */
		Uerror("blocking sel in d_step (nr.17, near line 194)");
S_187_0: /* 2 */
		goto S_189_0;
S_189_0: /* 2 */
		((P1 *)_this)->kind = 0;
#ifdef VAR_RANGES
		logval("Daemon:kind", ((P1 *)_this)->kind);
#endif
		;
S_190_0: /* 2 */
		((P1 *)_this)->stanza = 0;
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
S_191_0: /* 2 */
		((P1 *)_this)->number = 0;
#ifdef VAR_RANGES
		logval("Daemon:number", ((int)((P1 *)_this)->number));
#endif
		;
		goto S_222_0; /* ';' */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 17: // STATE 153 - inbound.pml:225 - [D_STEP225]
		if (!(boq == -1 && ((now.link==2)&&(((int)now.covered)>((int)now.told)))))
			continue;

		reached[1][153] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_193_0: /* 2 */
		if (!(((now.link==2)&&(((int)now.covered)>((int)now.told)))))
			Uerror("block in d_step seq");
S_194_0: /* 2 */
		now.told = ((int)now.covered);
#ifdef VAR_RANGES
		logval("told", ((int)now.told));
#endif
		;
S_203_0: /* 2 */
S_201_0: /* 2 */
S_200_0: /* 2 */
S_195_0: /* 2 */
		if (!((((int)now.acknowledged)<((int)now.told))))
			goto S_200_1;
S_196_0: /* 2 */
		if (q_len(now.held) == 0) Uerror("block in d_step seq");

		XX=1;
		qrecv(now.held, XX-1, 0, 1);
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.held);
		sprintf(simtmp, "%d", ((int)_)); strcat(simvals, simtmp);		}
#endif
		;
S_197_0: /* 2 */
		now.acknowledged = (((int)now.acknowledged)+1);
#ifdef VAR_RANGES
		logval("acknowledged", ((int)now.acknowledged));
#endif
		;
		goto S_201_0; /* ';' */
S_200_1: /* 3 */
S_198_0: /* 2 */
		/* else */;
S_199_0: /* 2 */
		goto S_202_0;	/* 'goto' */
S_200_2: /* 3 */
		Uerror("blocking sel in d_step (nr.18, near line 48)");
S_202_0: /* 2 */
		goto S_221_0;	/* 'break' */
	case 18: // STATE 169 - inbound.pml:227 - [D_STEP227]
		if (!(boq == -1 && (now.link==1)))
			continue;

		reached[1][169] = 1;
		reached[1][t->st] = 1;
		reached[1][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_205_0: /* 2 */
		if (!((now.link==1)))
			Uerror("block in d_step seq");
S_218_0: /* 2 */
S_206_0: /* 2 */
		now.link = 3;
#ifdef VAR_RANGES
		logval("link", now.link);
#endif
		;
S_207_0: /* 2 */
		now.attached = 0;
#ifdef VAR_RANGES
		logval("attached", ((int)now.attached));
#endif
		;
S_208_0: /* 2 */
		now.told = 0;
#ifdef VAR_RANGES
		logval("told", ((int)now.told));
#endif
		;
S_209_0: /* 2 */
		now.place = 0;
#ifdef VAR_RANGES
		logval("place", ((int)now.place));
#endif
		;
S_217_0: /* 2 */
S_215_0: /* 2 */
S_214_0: /* 2 */
S_210_0: /* 2 */
		if (!((q_len(now.wire)>0)))
			goto S_214_1;
S_211_0: /* 2 */
		if (q_len(now.wire) == 0) Uerror("block in d_step seq");

		XX=1;
		((P1 *)_this)->stanza = qrecv(now.wire, XX-1, 0, 1);
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.wire);
		sprintf(simtmp, "%d", ((int)((P1 *)_this)->stanza)); strcat(simvals, simtmp);		}
#endif
		;
		goto S_215_0; /* ';' */
S_214_1: /* 3 */
S_212_0: /* 2 */
		if (!((q_len(now.wire)==0)))
			goto S_214_2;
S_213_0: /* 2 */
		goto S_216_0;	/* 'goto' */
S_214_2: /* 3 */
		Uerror("blocking sel in d_step (nr.19, near line 42)");
S_216_0: /* 2 */
		goto S_219_0;	/* 'break' */
S_219_0: /* 2 */
		((P1 *)_this)->stanza = 0;
#ifdef VAR_RANGES
		logval("Daemon:stanza", ((int)((P1 *)_this)->stanza));
#endif
		;
		goto S_222_0; /* ';' */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 19: // STATE 173 - inbound.pml:229 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[1][173] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */

		 /* PROC Server */
	case 20: // STATE 15 - inbound.pml:72 - [D_STEP72]
		if (!(boq == -1 && (((int)now.received)<3)))
			continue;

		reached[0][15] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_000_0: /* 2 */
		if (!((((int)now.received)<3)))
			Uerror("block in d_step seq");
S_001_0: /* 2 */
		now.received = (((int)now.received)+1);
#ifdef VAR_RANGES
		logval("received", ((int)now.received));
#endif
		;
S_012_0: /* 2 */
S_002_0: /* 2 */
		if (!(((int)now.available)))
			goto S_012_1;
S_009_0: /* 2 */
S_003_0: /* 2 */
		if (q_full(now.held))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.held);
		sprintf(simtmp, "%d", ((int)now.received)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.held, 0, ((int)now.received), 0, 0, 1);
S_007_0: /* 2 */
S_004_0: /* 2 */
		if (!(((int)now.attached)))
			goto S_007_1;
S_005_0: /* 2 */
		if (q_full(now.wire))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.wire);
		sprintf(simtmp, "%d", ((int)now.received)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.wire, 0, ((int)now.received), 0, 0, 1);
		goto S_008_0;
S_007_1: /* 3 */
S_006_0: /* 2 */
		/* else */;
		goto S_008_0;
S_007_2: /* 3 */
		Uerror("blocking sel in d_step (nr.20, near line 40)");
S_008_0: /* 2 */
		goto S_013_0;
S_012_1: /* 3 */
S_010_0: /* 2 */
		/* else */;
S_011_0: /* 2 */
		if (q_full(now.offline))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.offline);
		sprintf(simtmp, "%d", ((int)now.received)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.offline, 0, ((int)now.received), 0, 0, 1);
		goto S_013_0;
S_012_2: /* 3 */
		Uerror("blocking sel in d_step (nr.21, near line 74)");
S_013_0: /* 2 */
		goto S_049_0;
S_049_0: /* 1 */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 21: // STATE 29 - inbound.pml:78 - [D_STEP78]
		if (!(boq == -1 &&  !(((int)now.present))))
			continue;

		reached[0][29] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_015_0: /* 2 */
		if (!( !(((int)now.present))))
			Uerror("block in d_step seq");
S_016_0: /* 2 */
		now.present = 1;
#ifdef VAR_RANGES
		logval("present", ((int)now.present));
#endif
		;
S_026_0: /* 2 */
S_017_0: /* 2 */
		if (!(((int)now.available)))
			goto S_026_1;
S_024_0: /* 2 */
S_018_0: /* 2 */
		if (q_full(now.held))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.held);
		sprintf(simtmp, "%d", 0); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.held, 0, 0, 0, 0, 1);
S_022_0: /* 2 */
S_019_0: /* 2 */
		if (!(((int)now.attached)))
			goto S_022_1;
S_020_0: /* 2 */
		if (q_full(now.wire))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.wire);
		sprintf(simtmp, "%d", 0); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.wire, 0, 0, 0, 0, 1);
		goto S_023_0;
S_022_1: /* 3 */
S_021_0: /* 2 */
		/* else */;
		goto S_023_0;
S_022_2: /* 3 */
		Uerror("blocking sel in d_step (nr.22, near line 40)");
S_023_0: /* 2 */
		goto S_027_0;
S_026_1: /* 3 */
S_025_0: /* 2 */
		/* else */;
		goto S_027_0;
S_026_2: /* 3 */
		Uerror("blocking sel in d_step (nr.23, near line 79)");
S_027_0: /* 2 */
		goto S_049_0; /* '.' */
		goto S_049_0; /* ';' */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 22: // STATE 48 - inbound.pml:83 - [D_STEP83]
		if (!(boq == -1 && ((((int)now.session)&& !(((int)now.attached)))&&(((int)now.expiries)<1))))
			continue;

		reached[0][48] = 1;
		reached[0][t->st] = 1;
		reached[0][tt] = 1;

		if (TstOnly) return 1;

		sv_save();
		S_029_0: /* 2 */
		if (!(((((int)now.session)&& !(((int)now.attached)))&&(((int)now.expiries)<1))))
			Uerror("block in d_step seq");
S_030_0: /* 2 */
		now.expiries = (((int)now.expiries)+1);
#ifdef VAR_RANGES
		logval("expiries", ((int)now.expiries));
#endif
		;
S_045_0: /* 2 */
S_041_0: /* 2 */
S_040_0: /* 2 */
S_031_0: /* 2 */
		if (!((q_len(now.held)>0)))
			goto S_040_1;
S_032_0: /* 2 */
		if (q_len(now.held) == 0) Uerror("block in d_step seq");

		XX=1;
		((P0 *)_this)->stanza = qrecv(now.held, XX-1, 0, 1);
#ifdef VAR_RANGES
		logval("Server:stanza", ((int)((P0 *)_this)->stanza));
#endif
		;
		
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[32];
			sprintf(simvals, "%d?", now.held);
		sprintf(simtmp, "%d", ((int)((P0 *)_this)->stanza)); strcat(simvals, simtmp);		}
#endif
		;
S_036_0: /* 2 */
S_033_0: /* 2 */
		if (!((((int)((P0 *)_this)->stanza)!=0)))
			goto S_036_1;
S_034_0: /* 2 */
		if (q_full(now.offline))
			Uerror("block in d_step seq");
#ifdef HAS_CODE
		if (readtrail && gui) {
			char simtmp[64];
			sprintf(simvals, "%d!", now.offline);
		sprintf(simtmp, "%d", ((int)((P0 *)_this)->stanza)); strcat(simvals, simtmp);		}
#endif
		
		qsend(now.offline, 0, ((int)((P0 *)_this)->stanza), 0, 0, 1);
		goto S_037_0;
S_036_1: /* 3 */
S_035_0: /* 2 */
		/* else */;
		goto S_037_0;
S_036_2: /* 3 */
		Uerror("blocking sel in d_step (nr.24, near line 59)");
S_037_0: /* 2 */
		goto S_041_0; /* '.' */
		goto S_041_0; /* ';' */
S_040_1: /* 3 */
S_038_0: /* 2 */
		if (!((q_len(now.held)==0)))
			goto S_040_2;
S_039_0: /* 2 */
		goto S_043_0;	/* 'goto' */
S_040_2: /* 3 */
		Uerror("blocking sel in d_step (nr.25, near line 56)");
S_042_0: /* 2 */
		goto S_043_0;	/* 'break' */
S_043_0: /* 2 */
		now.session = 0;
#ifdef VAR_RANGES
		logval("session", ((int)now.session));
#endif
		;
S_044_0: /* 2 */
		now.available = 0;
#ifdef VAR_RANGES
		logval("available", ((int)now.available));
#endif
		;
		goto S_046_0;
S_046_0: /* 2 */
		((P0 *)_this)->stanza = 0;
#ifdef VAR_RANGES
		logval("Server:stanza", ((int)((P0 *)_this)->stanza));
#endif
		;
		goto S_049_0; /* ';' */

#if defined(C_States) && (HAS_TRACK==1)
		c_update((uchar *) &(now.c_state[0]));
#endif
		_m = 3; goto P999;

	case 23: // STATE 52 - inbound.pml:85 - [-end-] (0:0:0 - 1)
		IfNotBlocked
		reached[0][52] = 1;
		if (!delproc(1, II)) continue;
		_m = 3; goto P999; /* 0 */
	case  _T5:	/* np_ */
		if (!((!(trpt->o_pm&4) && !(trpt->tau&128))))
			continue;
		/* else fall through */
	case  _T2:	/* true */
		_m = 3; goto P999;
#undef rand
	}

