/// Stanzas of rooms as Prosody 0.12.3 (with muc_mam) and ejabberd 23.01 send them.
enum RoomStanzas {
  static let prosodyJoin = """
    <presence from='hall@rooms.localhost/Al' xml:lang='en' to='al@localhost/c' id='j1'><occupant-id\
     id='GfVRx3VlzYNYbCyvM34uEBmdXr/ecozu1fHwodjdTLc=' xmlns='urn:xmpp:occupant-id:0'/><x\
     xmlns='http://jabber.org/protocol/muc#user'><status code='201'/><item affiliation='owner' role='moderator'\
     jid='al@localhost/c'/><status code='110'/></x></presence>
    """

  static let ejabberdJoin = """
    <presence xml:lang='en' to='al@localhost/c' from='hall@rooms.localhost/Al' id='j1'><x\
     xmlns='http://jabber.org/protocol/muc#user'><item jid='al@localhost/c' role='moderator'\
     affiliation='owner'/><status code='201'/><status code='110'/></x></presence>
    """

  static let ejabberdRoom = """
    <presence to='al@localhost/c' from='hall@rooms.localhost' id='14283729716802102757'><c\
     ver='94Y7MuW5ZbbekK4bo1R7KliKmS4=' node='http://www.process-one.net/en/ejabberd/' hash='sha-1'\
     xmlns='http://jabber.org/protocol/caps'/></presence>
    """

  static let prosodyNick = """
    <presence from='hall@rooms.localhost/Bo' to='bo@localhost/c' type='unavailable'><x\
     xmlns='http://jabber.org/protocol/muc#user'><status code='303'/><item affiliation='none' nick='Bob'\
     role='participant' jid='bo@localhost/c'/><status code='110'/></x></presence>
    """

  static let ejabberdNick = """
    <presence to='bo@localhost/c' from='hall@rooms.localhost/Bo' type='unavailable'><x\
     xmlns='http://jabber.org/protocol/muc#user'><item nick='Bob' jid='bo@localhost/c' role='participant'\
     affiliation='none'/><status code='303'/><status code='110'/></x></presence>
    """

  static let prosodyKick = """
    <presence to='bo@localhost/c' from='hall@rooms.localhost/Bob' type='unavailable'><occupant-id\
     xmlns='urn:xmpp:occupant-id:0' id='fZwIwkHf53sjGqm2VdpLsYBO4KwAiqsPykXiZolshxc='/><x\
     xmlns='http://jabber.org/protocol/muc#user'><status code='307'/><item affiliation='none' role='none'\
     jid='bo@localhost/c'><actor nick='Al'/><reason>flood</reason></item><status code='110'/></x></presence>
    """

  static let ejabberdKick = """
    <presence to='bo@localhost/c' from='hall@rooms.localhost/Bob' type='unavailable'><x\
     xmlns='http://jabber.org/protocol/muc#user'><item jid='bo@localhost/c' role='none' affiliation='none'>\
    <reason>flood</reason><actor nick='Al'/></item><status code='110'/><status code='307'/></x></presence>
    """

  static let ejabberdLeft = """
    <presence to='bo@localhost/c' from='hall@rooms.localhost' type='unavailable' id='836391226147179191'/>
    """

  static let prosodyDestroyed = """
    <presence to='al@localhost/c' from='hall@rooms.localhost/Al' type='unavailable'><occupant-id\
     xmlns='urn:xmpp:occupant-id:0' id='GfVRx3VlzYNYbCyvM34uEBmdXr/ecozu1fHwodjdTLc='/><x\
     xmlns='http://jabber.org/protocol/muc#user'><destroy jid='new@rooms.localhost'><reason>gone</reason>\
    <password>p</password></destroy><item affiliation='owner' role='none' jid='al@localhost/c'/><status\
     code='110'/></x></presence>
    """

  static let ejabberdDestroyed = """
    <presence to='al@localhost/c' from='hall@rooms.localhost/Al' type='unavailable'><x\
     xmlns='http://jabber.org/protocol/muc#user'><destroy jid='new@rooms.localhost'><reason>gone</reason>\
    <password>p</password></destroy><item role='none' affiliation='none'/></x></presence>
    """

  static let prosodyGone = """
    <presence type='error' from='hall@rooms.localhost/Bo' to='bo@localhost/c' id='j4'><error type='cancel'\
     by='rooms.localhost'><gone xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>xmpp:new@rooms.localhost?join</gone>\
    <text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>gone</text></error></presence>
    """

  static let prosodyBanned = """
    <presence type='error' from='hall@rooms.localhost/Bo' to='bo@localhost/c' id='j3'><error type='auth'\
     by='hall@rooms.localhost'><forbidden xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></presence>
    """

  static let ejabberdBanned = """
    <presence xml:lang='en' to='bo@localhost/c' from='hall@rooms.localhost/Bo' type='error' id='j3'><x\
     xmlns='http://jabber.org/protocol/muc'/><error type='auth'><forbidden\
     xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/><text xml:lang='en'\
     xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>You have been banned from this room</text></error></presence>
    """

  static let prosodyVoice = """
    <message to='al@localhost/c' type='normal' from='hall@rooms.localhost'><x type='form' xmlns='jabber:x:data'>\
    <title>Voice Request</title><field type='hidden' var='FORM_TYPE'><value>\
    http://jabber.org/protocol/muc#request</value></field><field label='User ID' type='jid-single'\
     var='muc#jid'><desc>The user&apos;s JID (address)</desc><value>bo@localhost/c</value></field><field\
     label='Room nickname' type='text-single' var='muc#roomnick'><desc>The user&apos;s nickname within the\
     room</desc><value>Bo</value></field><field label='Requested role' type='list-single' var='muc#role'><option\
     label='none'><value>none</value></option><option label='visitor'><value>visitor</value></option><option\
     label='participant'><value>participant</value></option><option label='moderator'><value>moderator</value>\
    </option><value>participant</value></field><field label='Grant voice to this person?' type='boolean'\
     var='muc#request_allow'><desc>Specify whether this person is able to speak in a moderated room</desc>\
    <value>0</value></field></x></message>
    """

  static let ejabberdVoice = """
    <message to='al@localhost/c' from='hall@rooms.localhost'><x type='form' xmlns='jabber:x:data'><title>Voice\
     request</title><instructions>Either approve or decline the voice request.</instructions><field\
     var='FORM_TYPE' type='hidden'><value>http://jabber.org/protocol/muc#request</value></field><field\
     var='muc#role' type='list-single' label='Requested role'><required/><value>participant</value><option\
     label='Participant'><value>participant</value></option></field><field var='muc#jid' type='jid-single'\
     label='User JID'><value>bo@localhost/c</value></field><field var='muc#roomnick' type='text-single'\
     label='Nickname'><value>Bo</value></field><field var='muc#request_allow' type='boolean' label='Grant voice\
     to this person?'><value>0</value></field></x></message>
    """

  static let prosodyInvitation = """
    <message to='bo@localhost' xml:lang='en' from='hall@rooms.localhost' id='i1'><x\
     xmlns='http://jabber.org/protocol/muc#user'><invite from='hall@rooms.localhost/Al'><reason>tea</reason>\
    </invite></x><body>hall@rooms.localhost/Al invited you to the room hall@rooms.localhost (tea)</body><x\
     jid='hall@rooms.localhost' xmlns='jabber:x:conference'>tea</x></message>
    """

  static let ejabberdInvitation = """
    <message to='bo@localhost' from='hall@rooms.localhost'><x xmlns='http://jabber.org/protocol/muc#user'>\
    <invite from='al@localhost/c'><reason>tea</reason><continue thread='t1'/></invite></x><x reason='tea'\
     jid='hall@rooms.localhost' xmlns='jabber:x:conference'/><body xml:lang='en'>al@localhost/c invites you to\
     the room hall@rooms.localhost (tea) </body></message>
    """

  static let prosodyDeclined = """
    <message to='al@localhost/c' xml:lang='en' from='hall@rooms.localhost' id='i2'><x\
     xmlns='http://jabber.org/protocol/muc#user'><decline from='bo@localhost/c'><reason>busy</reason></decline>\
    </x><body>bo@localhost/c declined your invite to the room hall@rooms.localhost (busy)</body></message>
    """

  static let prosodyMember = """
    <message from='hall@rooms.localhost' to='al@localhost/c'><x xmlns='http://jabber.org/protocol/muc#user'>\
    <item affiliation='member' jid='cy@localhost'><reason>r</reason></item></x></message>
    """

  static let ejabberdMember = """
    <message to='al@localhost/c' from='hall@rooms.localhost' id='14060908237554067927'><x\
     xmlns='http://jabber.org/protocol/muc#user'><item jid='cy@localhost' role='none' affiliation='member'/></x>\
    </message>
    """

  static let prosodyInfo = """
    <iq type='result' from='hall@rooms.localhost' to='al@localhost/c' id='d1'><query\
     xmlns='http://jabber.org/protocol/disco#info'><feature var='muc_hidden'/><feature var='muc_moderated'/>\
    <feature var='http://jabber.org/protocol/muc#request'/><identity category='conference' type='text'/><feature\
     var='muc_open'/><feature var='jabber:iq:register'/><feature var='urn:xmpp:mam:2'/><feature\
     var='urn:xmpp:mam:2#extended'/><feature var='urn:xmpp:sid:0'/><feature var='muc_persistent'/><feature\
     var='http://jabber.org/protocol/muc'/><feature var='http://jabber.org/protocol/muc#stable_id'/><feature\
     var='http://jabber.org/protocol/muc#self-ping-optimization'/><feature var='muc_unsecured'/><feature\
     var='urn:xmpp:occupant-id:0'/><feature var='muc_semianonymous'/><x type='result' xmlns='jabber:x:data'>\
    <field type='hidden' var='FORM_TYPE'><value>http://jabber.org/protocol/muc#roominfo</value></field><field\
     type='boolean' var='muc#roomconfig_changesubject'/><field type='text-single' var='muc#roominfo_lang'>\
    <value>en</value></field><field label='Title' type='text-single' var='muc#roomconfig_roomname'/><field\
     label='Description' type='text-single' var='muc#roominfo_description'><value/></field><field label='Allow\
     members to invite new members' type='boolean'\
     var='{http://prosody.im/protocol/muc}roomconfig_allowmemberinvites'><value>0</value></field><field\
     label='Allow users to invite other users' type='boolean' var='muc#roomconfig_allowinvites'><value>1</value>\
    </field><field label='Number of occupants' type='text-single' var='muc#roominfo_occupants'><value>1</value>\
    </field></x></query></iq>
    """

  static let ejabberdInfo = """
    <iq xml:lang='en' to='al@localhost/c' from='hall@rooms.localhost' type='result' id='d1'><query\
     xmlns='http://jabber.org/protocol/disco#info'><identity type='text' category='conference'/><feature\
     var='vcard-temp'/><feature var='http://jabber.org/protocol/muc'/><feature\
     var='http://jabber.org/protocol/disco#info'/><feature var='http://jabber.org/protocol/disco#items'/>\
    <feature var='http://jabber.org/protocol/commands'/><feature var='muc_public'/><feature\
     var='muc_persistent'/><feature var='muc_open'/><feature var='muc_semianonymous'/><feature\
     var='muc_moderated'/><feature var='muc_unsecured'/><feature var='urn:xmpp:mam:tmp'/><feature\
     var='urn:xmpp:mam:0'/><feature var='urn:xmpp:mam:1'/><feature var='urn:xmpp:mam:2'/><feature\
     var='urn:xmpp:sid:0'/><x type='result' xmlns='jabber:x:data'><field var='FORM_TYPE' type='hidden'><value>\
    http://jabber.org/protocol/muc#roominfo</value></field><field var='muc#roominfo_occupants'\
     type='text-single' label='Number of occupants'><value>1</value></field><field var='muc#roomconfig_roomname'\
     type='text-single' label='Natural-Language Room Name'/><field var='muc#roominfo_description'\
     type='text-single' label='Room description'/><field var='muc#roominfo_changesubject' type='boolean'\
     label='Occupants May Change the Subject'><value>1</value></field><field var='muc#roomconfig_allowinvites'\
     type='boolean' label='Occupants are allowed to invite others'><value>0</value></field><field\
     var='muc#roomconfig_allow_query_users' type='boolean' label='Occupants are allowed to query others'><value>\
    1</value></field><field var='muc#roomconfig_allowpm' type='list-single' label='Roles that May Send Private\
     Messages'><value>anyone</value><option label='Anyone'><value>anyone</value></option><option label='Anyone\
     with Voice'><value>participants</value></option><option label='Moderators Only'><value>moderators</value>\
    </option><option label='Nobody'><value>none</value></option></field><field var='muc#roominfo_lang'\
     type='text-single' label='Natural Language for Room Discussions'><value>en</value></field></x></query></iq>
    """

  static let ejabberdItems = """
    <iq xml:lang='en' to='al@localhost/c' from='rooms.localhost' type='result' id='d2'><query\
     xmlns='http://jabber.org/protocol/disco#items'><set xmlns='http://jabber.org/protocol/rsm'><count>1</count>\
    <first>hall</first><last>hall</last></set><item name='hall (1)' jid='hall@rooms.localhost'/></query></iq>
    """

  static let prosodyPing = """
    <iq type='error' from='hall@rooms.localhost/Bob' to='bo@localhost/c' id='p3'><error type='cancel'\
     by='hall@rooms.localhost'><not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/><text\
     xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>You are not currently connected to this chat</text></error>\
    </iq>
    """

  static let ejabberdPing = """
    <iq xml:lang='en' to='bo@localhost/c' from='hall@rooms.localhost/Bob' type='error' id='p3'><ping\
     xmlns='urn:xmpp:ping'/><error type='modify'><not-acceptable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>\
    <text xml:lang='en' xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>Only occupants are allowed to send queries\
     to the conference</text></error></iq>
    """

  static let prosodyWrongPing = """
    <iq type='error' from='hall@rooms.localhost/Bo' to='bo@localhost/c' id='p2'><error type='cancel'\
     by='hall@rooms.localhost'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/><text\
     xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>Recipient not in room</text></error></iq>
    """

  static let ejabberdWrongPing = """
    <iq xml:lang='en' to='bo@localhost/c' from='hall@rooms.localhost/Bo' type='error' id='p2'><ping\
     xmlns='urn:xmpp:ping'/><error type='cancel'><item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/>\
    <text xml:lang='en' xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>Recipient is not in the conference\
     room</text></error></iq>
    """

  static let prosodyForm = """
    <iq type='result' from='hall@rooms.localhost' to='al@localhost/c' id='o1'><query\
     xmlns='http://jabber.org/protocol/muc#owner'><x type='form' xmlns='jabber:x:data'><title>Configuration for\
     hall@rooms.localhost</title><instructions>Complete and submit this form to configure the\
     room.</instructions><field type='hidden' var='FORM_TYPE'><value>\
    http://jabber.org/protocol/muc#roomconfig</value></field><field type='fixed'><value>Room information</value>\
    </field><field label='Title' type='text-single' var='muc#roomconfig_roomname'/><field label='Description'\
     type='text-single' var='muc#roomconfig_roomdesc'><desc>A brief description of the room</desc><value/>\
    </field><field label='Language tag for room (e.g. &apos;en&apos;, &apos;de&apos;, &apos;fr&apos; etc.)'\
     type='text-single' var='muc#roomconfig_lang'><desc>Indicate the primary language spoken in this room</desc>\
    <validate datatype='xs:language' xmlns='http://jabber.org/protocol/xdata-validate'/><value>en</value>\
    </field><field label='Persistent (room should remain even when it is empty)' type='boolean'\
     var='muc#roomconfig_persistentroom'><desc>Rooms are automatically deleted when they are empty, unless this\
     option is enabled</desc></field><field label='Include room information in public lists' type='boolean'\
     var='muc#roomconfig_publicroom'><desc>Enable this to allow people to find the room</desc><value>0</value>\
    </field><field type='fixed'><value>Access to the room</value></field><field label='Password'\
     type='text-private' var='muc#roomconfig_roomsecret'><value/></field><field label='Only allow members to\
     join' type='boolean' var='muc#roomconfig_membersonly'><desc>Enable this to only allow access for room\
     owners, admins and members</desc></field><field label='Allow members to invite new members' type='boolean'\
     var='{http://prosody.im/protocol/muc}roomconfig_allowmemberinvites'/><field type='fixed'><value>Permissions\
     in the room</value></field><field label='Allow anyone to set the room&apos;s subject' type='boolean'\
     var='muc#roomconfig_changesubject'><desc>Choose whether anyone, or only moderators, may set the room&apos;s\
     subject</desc></field><field label='Moderated (require permission to speak)' type='boolean'\
     var='muc#roomconfig_moderatedroom'><desc>In moderated rooms occupants must be given permission to speak by\
     a room moderator</desc></field><field label='Addresses (JIDs) of room occupants may be viewed by:'\
     type='list-single' var='muc#roomconfig_whois'><option label='Moderators only'><value>moderators</value>\
    </option><option label='Anyone'><value>anyone</value></option><value>moderators</value></field><field\
     type='fixed'><value>Other options</value></field><field label='Maximum number of history messages returned\
     by room' type='text-single' var='muc#roomconfig_historylength'><desc>Specify the maximum number of previous\
     messages that should be sent to users when they join the room</desc><validate datatype='xs:integer'\
     xmlns='http://jabber.org/protocol/xdata-validate'/><value>20</value></field><field label='Default number of\
     history messages returned by room' type='text-single' var='muc#roomconfig_defaulthistorymessages'><desc>\
    Specify the number of previous messages sent to new users when they join the room</desc><validate\
     datatype='xs:integer' xmlns='http://jabber.org/protocol/xdata-validate'/><value>20</value></field><field\
     label='Only show participants with roles:' type='list-multi' var='muc#roomconfig_presencebroadcast'><option\
     label='none'><value>none</value></option><option label='visitor'><value>visitor</value></option><option\
     label='participant'><value>participant</value></option><option label='moderator'><value>moderator</value>\
    </option><value>moderator</value><value>participant</value><value>visitor</value></field><field\
     label='Enable archiving?' type='boolean' var='muc#roomconfig_enablearchiving'><value>1</value></field></x>\
    </query></iq>
    """

  static let ejabberdForm = """
    <iq xml:lang='en' to='al@localhost/c' from='hall@rooms.localhost' type='result' id='o1'><query\
     xmlns='http://jabber.org/protocol/muc#owner'><x type='form' xmlns='jabber:x:data'><title>Configuration of\
     room hall@rooms.localhost</title><field var='FORM_TYPE' type='hidden'><value>\
    http://jabber.org/protocol/muc#roomconfig</value></field><field var='muc#roomconfig_roomname'\
     type='text-single' label='Room title'/><field var='muc#roomconfig_roomdesc' type='text-single' label='Room\
     description'/><field var='muc#roomconfig_lang' type='text-single' label='Natural Language for Room\
     Discussions'><value>en</value></field><field var='muc#roomconfig_persistentroom' type='boolean' label='Make\
     room persistent'><value>0</value></field><field var='muc#roomconfig_publicroom' type='boolean' label='Make\
     room public searchable'><value>1</value></field><field var='public_list' type='boolean' label='Make\
     participants list public'><value>1</value></field><field var='muc#roomconfig_passwordprotectedroom'\
     type='boolean' label='Make room password protected'><value>0</value></field><field\
     var='muc#roomconfig_roomsecret' type='text-private' label='Password'/><field var='muc#roomconfig_maxusers'\
     type='list-single' label='Maximum Number of Occupants'><value>200</value><option label='5'><value>5</value>\
    </option><option label='10'><value>10</value></option><option label='20'><value>20</value></option><option\
     label='30'><value>30</value></option><option label='50'><value>50</value></option><option label='100'>\
    <value>100</value></option><option label='200'><value>200</value></option></field><field\
     var='muc#roomconfig_whois' type='list-single' label='Present real Jabber IDs to'><value>moderators</value>\
    <option label='Moderators Only'><value>moderators</value></option><option label='Anyone'><value>\
    anyone</value></option></field><field var='muc#roomconfig_presencebroadcast' type='list-multi' label='Roles\
     for which Presence is Broadcasted'><value>moderator</value><value>participant</value><value>visitor</value>\
    <option label='Moderator'><value>moderator</value></option><option label='Participant'><value>\
    participant</value></option><option label='Visitor'><value>visitor</value></option></field><field\
     var='muc#roomconfig_membersonly' type='boolean' label='Make room members-only'><value>0</value></field>\
    <field var='muc#roomconfig_moderatedroom' type='boolean' label='Make room moderated'><value>1</value>\
    </field><field var='members_by_default' type='boolean' label='Default users as participants'><value>\
    1</value></field><field var='muc#roomconfig_changesubject' type='boolean' label='Allow users to change the\
     subject'><value>1</value></field><field var='allow_private_messages' type='boolean' label='Allow users to\
     send private messages'><value>1</value></field><field var='allow_private_messages_from_visitors'\
     type='list-single' label='Allow visitors to send private messages to'><value>anyone</value><option\
     label='Nobody'><value>nobody</value></option><option label='Moderators Only'><value>moderators</value>\
    </option><option label='Anyone'><value>anyone</value></option></field><field var='allow_query_users'\
     type='boolean' label='Allow users to query other users'><value>1</value></field><field\
     var='muc#roomconfig_allowinvites' type='boolean' label='Allow users to send invites'><value>0</value>\
    </field><field var='allow_visitor_status' type='boolean' label='Allow visitors to send status text in\
     presence updates'><value>1</value></field><field var='allow_visitor_nickchange' type='boolean' label='Allow\
     visitors to change nickname'><value>1</value></field><field var='allow_voice_requests' type='boolean'\
     label='Allow visitors to send voice requests'><value>1</value></field><field var='allow_subscription'\
     type='boolean' label='Allow subscription'><value>0</value></field><field var='voice_request_min_interval'\
     type='text-single' label='Minimum interval between voice requests (in seconds)'><value>1800</value></field>\
    <field var='muc#roomconfig_pubsub' type='text-single' label='XMPP URI of Associated Publish-Subscribe Node'>\
    <value/></field><field var='enable_hats' type='boolean' label='Enable hats'><value>0</value></field><field\
     var='mam' type='boolean' label='Enable message archiving'><value>1</value></field></x></query></iq>
    """

  static let prosodyStorage = """
    <iq type='result' to='al@localhost/c' id='m2'><query xmlns='jabber:iq:private'><storage\
     xmlns='storage:bookmarks'><conference autojoin='true' name='Hall' jid='hall@rooms.localhost'><nick>\
    Al</nick><password>p</password></conference></storage></query></iq>
    """

  static let ejabberdBookmark = """
    <message to='al@localhost' from='al@localhost' type='headline'><event\
     xmlns='http://jabber.org/protocol/pubsub#event'><items node='urn:xmpp:bookmarks:1'><item\
     id='hall@rooms.localhost'><conference xmlns='urn:xmpp:bookmarks:1' autojoin='true' name='Hall'><nick>\
    Al</nick><password>p</password><extensions><pinned xmlns='urn:xmpp:bookmarks-pinning:0'/></extensions>\
    </conference></item></items></event><addresses xmlns='http://jabber.org/protocol/address'><address\
     jid='al@localhost/c' type='replyto'/></addresses></message>
    """

  static let prosodyRegistered = """
    <iq type='result' from='hall@rooms.localhost' to='al@localhost/c' id='r3'><query xmlns='jabber:iq:register'>\
    <registered/><username>Al</username></query></iq>
    """

  static let prosodyReserved = """
    <iq type='result' from='hall@rooms.localhost' to='al@localhost/c' id='r4'><query node='x-roomuser-item'\
     xmlns='http://jabber.org/protocol/disco#info'><identity name='Al' category='conference' type='text'/>\
    </query></iq>
    """
}
