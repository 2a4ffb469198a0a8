extension BundledTypes {
  /// The system's types, collected from public documentation and the databases of running systems.
  ///
  /// A line begins with an identifier. The words that follow, also on indented lines, are:
  ///
  /// - `<public.data`: a supertype.
  /// - `.png`: a filename extension, the preferred one first. `..tar.gz`: a compound extension.
  /// - `image/png`: a MIME type, the preferred one first.
  /// - `~image/x-icns`: its name in the shared MIME database, if that is not the preferred MIME type.
  /// - `=89504e47`: the first bytes of its files, in hexadecimal digits.
  /// - `*`: a wildcard, which nearly everything conforms to.
  /// - `@c`: the source, one of ``sources``.
  static let table: StaticString = """
    ca.mcgill.mni.bic.mnc <public.image .mnc .minc
    com.adobe.edn <public.data .edn
    com.adobe.encapsulated-postscript <com.adobe.postscript .eps ~image/x-eps
    com.adobe.etd <public.data .etd
    com.adobe.fdf <public.data .fdf
    com.adobe.flash.video <public.movie .flv .f4v .f4p .f4a .f4b video/x-flv
    com.adobe.illustrator.ai-image <public.image .ai ~application/illustrator
    com.adobe.pdf <public.data <public.composite-content .pdf application/pdf =255044462d
    com.adobe.photoshop-image <public.image .psd image/vnd.adobe.photoshop image/photoshop
      image/x-photoshop image/psd application/photoshop =384250530001
    com.adobe.photoshop-large-image <public.image .psb =384250530002
    com.adobe.postscript <public.data <public.composite-content .ps application/postscript
    com.adobe.postscript-font <public.font
    com.adobe.postscript-pfa-font <com.adobe.postscript-font .pfa ~application/x-font-type1
    com.adobe.postscript-pfb-font <com.adobe.postscript-font .pfb ~application/x-font-type1
    com.adobe.raw-image <public.camera-raw-image .dng image/x-adobe-dng
    com.adobe.xfdf <public.data <public.composite-content .xfdf
    com.allume.stuffit-archive <public.data <public.archive
    com.apple.afp-internet-location <com.apple.internet-location .afploc
    com.apple.alias-file <public.data <com.apple.resolvable
    com.apple.applescript.script <public.data <public.script .scpt
    com.apple.applescript.script-bundle <com.apple.bundle <com.apple.package .scptd
    com.apple.applescript.text <public.script .applescript
    com.apple.applesingle-archive <public.data <public.archive .as
    com.apple.application <public.executable
    com.apple.application-and-system-extension <com.apple.xpc-service .appex
    com.apple.application-bundle <com.apple.application <com.apple.localizable-name-bundle
      <com.apple.package .app
    com.apple.application-file <com.apple.application <public.data .app
    com.apple.application-placeholder <com.apple.application-bundle .placeholder
    com.apple.archive <public.data <public.archive .aar .yaa
    com.apple.arobject <public.data .arobject
    com.apple.ascii-property-list <public.text <com.apple.property-list .plist
    com.apple.audio-unit-preset <com.apple.xml-property-list .aupreset
    com.apple.binary-property-list <com.apple.property-list .plist =62706c6973743030
    com.apple.binhex-archive <public.data <public.archive .hqx application/mac-binhex40
      application/mac-binhex application/binhex
    com.apple.bom-archive <public.archive
    com.apple.bom-compressed-cpio <public.data <com.apple.bom-archive .cpgz
    com.apple.bookmark <public.data <com.apple.resolvable
    com.apple.bundle * <public.directory
    com.apple.color-file <public.data .clr .ccl
    com.apple.colorsync-profile <public.data .icc .icm .pf ~application/vnd.iccprofile
    com.apple.configprofile <public.xml .configprofile
    com.apple.coreaudio-format <public.audio .caf
    com.apple.coreml.mlpackage <com.apple.package .mlpackage
    com.apple.coreml.model <public.data .mlmodel .mlkitmodel
    com.apple.crashreport <public.utf8-plain-text <public.log .crash
    com.apple.csstore <public.data <public.database .csstore
    com.apple.dashboard-widget <com.apple.localizable-name-bundle <com.apple.package .wdgt
    com.apple.drawing <public.image .drawing
    com.apple.driver-extension <com.apple.localizable-name-bundle <com.apple.package .dext
    com.apple.encrypted-archive <public.data <public.archive .aea
    com.apple.file-internet-location <com.apple.internet-location .fileloc
    com.apple.file-system-plug-in <com.apple.plugin .fs
    com.apple.finder.burn-folder <public.folder .fpbf
    com.apple.finder.clipping <public.data
    com.apple.finder.pictclipping <com.apple.finder.clipping <public.image .pictclipping
    com.apple.finder.smart-folder <public.data .savedSearch
    com.apple.finder.sound-clipping <com.apple.finder.clipping .sndClipping
    com.apple.finder.textclipping <com.apple.finder.clipping .textclipping
    com.apple.flat-rtfd <public.data <public.composite-content
    com.apple.font-suitcase <public.font .suit
    com.apple.framework <com.apple.bundle .framework
    com.apple.ftp-internet-location <com.apple.internet-location .ftploc
    com.apple.garageband.project <com.apple.package <public.audiovisual-content .band .gbProj
    com.apple.generic-bundle <com.apple.bundle <com.apple.package .bundle
    com.apple.generic-internet-location <com.apple.internet-location .inetloc
    com.apple.gpuRestart <public.utf8-plain-text <public.log .gpuRestart
    com.apple.groupactivities.activity <public.data .groupactivity
    com.apple.hangreport <public.utf8-plain-text <public.log .hang
    com.apple.haptics.ahap <public.haptics-content <public.json .ahap
    com.apple.ical.ics <public.text <public.item <public.calendar-event .ics text/calendar
    com.apple.ical.vcs <public.text <public.item <public.calendar-event .vcs .vcal text/x-vcalendar
      ~text/calendar
    com.apple.icloud-file-fault <public.data .icloud
    com.apple.icns <public.image .icns ~image/x-icns =69636e73
    com.apple.iconset <public.folder .iconset
    com.apple.iig-source <public.c-source .iig
    com.apple.iMovieLibrary <com.apple.package .imovielibrary
    com.apple.iMovieTheater <com.apple.package .theater
    com.apple.installer-distribution-package <com.apple.bundle <com.apple.package .dist .distz
    com.apple.installer-meta-package <com.apple.bundle <com.apple.package .mpkg
    com.apple.installer-package <com.apple.bundle <com.apple.package .pkg
    com.apple.installer-package-archive <public.data <public.archive .pkg .mpkg ~application/x-xar
    com.apple.intelligentsuggestions.assets <com.apple.bundle <com.apple.package .suggestionsassets
    com.apple.internet-location <public.stored-url <public.data
    com.apple.itunes.store-url <public.url .itms
    com.apple.iWork.Keynote.key <com.apple.package <public.presentation <com.apple.keynote.key .key
    com.apple.iWork.Keynote.key-tef <com.apple.package <public.presentation <com.apple.keynote.key
      .key-tef
    com.apple.iWork.Keynote.kth <com.apple.package <public.presentation <com.apple.keynote.kth .kth
    com.apple.iWork.Keynote.sffkey <public.data <public.presentation .key
      application/x-iwork-keynote-sffkey ~application/vnd.apple.keynote
    com.apple.iWork.Keynote.sffkth <public.data <public.presentation .kth
      application/x-iwork-keynote-sffkth
    com.apple.iWork.Numbers.numbers <com.apple.package <public.composite-content <public.spreadsheet
      .numbers
    com.apple.iWork.Numbers.numbers-tef <com.apple.package <public.composite-content
      <public.spreadsheet .numbers-tef
    com.apple.iWork.Numbers.sffnumbers <public.data <public.composite-content <public.spreadsheet
      .numbers application/x-iwork-numbers-sffnumbers ~application/vnd.apple.numbers
    com.apple.iWork.Numbers.sfftemplate <public.data <public.composite-content <public.spreadsheet
      .nmbtemplate application/x-iwork-numbers-sfftemplate
    com.apple.iWork.Numbers.template <com.apple.package <public.composite-content
      <public.spreadsheet .nmbtemplate
    com.apple.iWork.Pages.pages <com.apple.package <public.composite-content .pages
    com.apple.iWork.Pages.pages-tef <com.apple.package <public.composite-content .pages-tef
    com.apple.iWork.Pages.sffpages <public.data <public.composite-content .pages
      application/x-iwork-pages-sffpages ~application/vnd.apple.pages
    com.apple.iWork.Pages.sfftemplate <public.data <public.composite-content .template
      application/x-iwork-pages-sfftemplate
    com.apple.iWork.Pages.template <com.apple.package <public.composite-content .template
    com.apple.kernel-extension <com.apple.bundle <com.apple.package .kext
    com.apple.keynote.key <com.apple.package <public.presentation
    com.apple.keynote.kth <com.apple.package <public.presentation
    com.apple.ktrace <public.data <public.log .ktrace
    com.apple.linkpresentation.metadata <public.data
    com.apple.live-photo
    com.apple.localizable-name-bundle <com.apple.bundle
    com.apple.localized-pdf-bundle <com.apple.localizable-name-bundle <com.apple.package
      <public.composite-content .lpdf
    com.apple.log <public.plain-text <public.log .log ~text/x-log
    com.apple.m4a-audio <public.mpeg-4-audio .m4a audio/x-m4a ~audio/mp4
    com.apple.m4v-video <public.mpeg-4 .m4v video/x-m4v ~video/mp4
    com.apple.mail-internet-location <com.apple.internet-location .mailloc
    com.apple.menu-extra <com.apple.package <com.apple.bundle .menu
    com.apple.metadata-importer <com.apple.plugin .mdimporter
    com.apple.mobileconfig <public.xml .mobileconfig .mobile application/x-apple-aspen-config
    com.apple.mobileprovision <public.data .mobileprovision
      application/x-apple-aspen-mobileprovision
    com.apple.mount-point <public.item <com.apple.resolvable
    com.apple.mpeg-4-ringtone <public.mpeg-4-audio .m4r audio/x-m4r
    com.apple.news-internet-location <com.apple.internet-location .newsloc
    com.apple.package * <public.directory
    com.apple.panicreport <public.utf8-plain-text <public.log .panic
    com.apple.pict <public.image .pict .pct .pic image/pict image/x-pict image/x-macpict
      ~image/x-pict
    com.apple.pkpass <com.apple.bundle <com.apple.package .pkpass application/vnd.apple.pkpass
    com.apple.pkpass-data <public.data .pkpass ~application/vnd.apple.pkpass
    com.apple.pkpasses-data <public.data .pkpasses application/vnd.apple.pkpasses
    com.apple.plugin <com.apple.bundle <com.apple.package .plugin
    com.apple.pluginkit <com.apple.bundle <com.apple.package .pluginkit
    com.apple.ppp-plug-in <com.apple.plugin .ppp
    com.apple.private.live-photo-bundle <com.apple.live-photo <com.apple.bundle <com.apple.package
      .pvt
    com.apple.property-list <public.data .plist
    com.apple.protected-mpeg-4-audio <public.audio .m4p
    com.apple.protected-mpeg-4-audio-b <com.apple.protected-mpeg-4-audio .m4b ~audio/x-m4b
    com.apple.protected-mpeg-4-video <com.apple.m4v-video
    com.apple.provisionprofile <public.xml .provisionprofile
    com.apple.quartz-composer-composition <public.data <public.executable .qtz
      application/x-quartzcomposer
    com.apple.quicklook-generator <com.apple.plugin .qlgenerator
    com.apple.quicktime-image <public.image .qtif .qti image/x-quicktime
    com.apple.quicktime-movie <public.movie .mov .qt video/quicktime
    com.apple.reality <public.data .reality model/vnd.reality
    com.apple.resolvable
    com.apple.rez-source <public.source-code .r
    com.apple.rtfd <com.apple.package <public.composite-content .rtfd
    com.apple.scenekit.scene <public.data <public.3d-content .scn .scnz
    com.apple.scripting-definition <public.xml .sdef
    com.apple.service-application <com.apple.application-bundle .service
    com.apple.shazamcatalog <public.data .shazamcatalog
    com.apple.shazamsignature <public.data .shazamsignature
    com.apple.shutdownStall <public.utf8-plain-text <public.log .shutdownStall
    com.apple.spinreport <public.utf8-plain-text <public.log .spin
    com.apple.symbol-export <public.source-code .exp
    com.apple.system-extension <com.apple.localizable-name-bundle <com.apple.package
      .systemextension
    com.apple.systempreference.prefpane <com.apple.package <com.apple.bundle .prefPane
    com.apple.systempreference.screen-saver <com.apple.package <com.apple.bundle .saver
    com.apple.systempreference.screen-slide-saver <com.apple.package <com.apple.bundle .slideSaver
    com.apple.truetype-datafork-suitcase-font <public.truetype-font .dfont
    com.apple.vnc-internet-location <com.apple.internet-location .vncloc
    com.apple.web-internet-location <com.apple.internet-location .webloc
    com.apple.webarchive <public.data <public.composite-content .webarchive application/x-webarchive
    com.apple.webkit-plugin <com.apple.plugin .webplugin
    com.apple.xar-archive <public.data <public.archive .xar ~application/x-xar
    com.apple.xcode.dsym <com.apple.package .dsym
    com.apple.xip-archive <com.apple.xar-archive .xip
    com.apple.xml-property-list <public.xml <com.apple.property-list .plist
    com.apple.xpc-service <com.apple.bundle <com.apple.package .xpc
    com.audible.aa-audio <public.audio
    com.audible.aa-audiobook <com.audible.aa-audio .aa audio/audible audio/x-pn-audibleaudio
      audio/x-audible ~audio/x-pn-audibleaudio
    com.audible.aax-audiobook <com.audible.aa-audio .aax audio/vnd.audible.aax
    com.avid.open-media-framework <public.audiovisual-content .omf
    com.compuserve.gif <public.image .gif image/gif =474946383761 =474946383961
    com.digidesign.sd2-audio <public.audio .sd2
    com.ilm.openexr-image <public.image .exr ~image/x-exr =762f3101
    com.j2.efx-fax <public.fax .efx image/efax
    com.j2.jfx-fax <public.fax .jfx
    com.kodak.flashpix-image <public.image .fpx image/fpx application/vnd.fpx
    com.microsoft.advanced-stream-redirector <public.audiovisual-content <public.xml .asx
      video/x-ms-asx ~audio/x-ms-asx
    com.microsoft.advanced-systems-format <public.audiovisual-content .asf video/x-ms-asf
      ~application/vnd.ms-asf
    com.microsoft.bmp <public.image .bmp .dib image/bmp =424d
    com.microsoft.cab <public.data <public.archive .cab ~application/vnd.ms-cab-compressed
    com.microsoft.excel.sheet.binary.macroenabled <public.zip-archive <public.composite-content
      <public.spreadsheet <public.executable .xlsb
      application/vnd.ms-excel.sheet.binary.macroEnabled.12
    com.microsoft.excel.xla <public.data .xla ~application/vnd.ms-excel
    com.microsoft.excel.xls <public.data <public.composite-content <public.spreadsheet .xls
      application/vnd.ms-excel application/msexcel
    com.microsoft.excel.xlt <public.data <public.spreadsheet .xlt application/vnd.ms-excel
      application/msexcel
    com.microsoft.excel.xlw <public.data <public.spreadsheet .xlw application/vnd.ms-excel
      application/msexcel
    com.microsoft.ico <public.image .ico image/vnd.microsoft.icon
    com.microsoft.internet-shortcut <public.stored-url <public.data .url ~application/x-mswinurl
    com.microsoft.powerpoint.pot <public.data <public.presentation .pot
      application/vnd.ms-powerpoint application/mspowerpoint
    com.microsoft.powerpoint.pps <public.data <public.presentation .pps
      application/vnd.ms-powerpoint application/mspowerpoint
    com.microsoft.powerpoint.ppt <public.data <public.presentation .ppt
      application/vnd.ms-powerpoint application/mspowerpoint
    com.microsoft.waveform-audio <public.audio .wav .wave .bwf audio/vnd.wave audio/wav audio/wave
      audio/x-wav ~audio/x-wav
    com.microsoft.windows-dynamic-link-library <public.data <public.executable .dll
      application/x-msdownload
    com.microsoft.windows-executable <public.data <public.executable .exe application/x-msdownload
      ~application/x-ms-dos-executable
    com.microsoft.windows-media-wax <public.audio <com.microsoft.advanced-stream-redirector .wax
      video/x-ms-wax ~audio/x-ms-asx
    com.microsoft.windows-media-wm <public.movie <com.microsoft.advanced-systems-format .wm
      video/x-ms-wm ~application/vnd.ms-asf
    com.microsoft.windows-media-wma <public.audio <com.microsoft.advanced-systems-format .wma
      video/x-ms-wma ~audio/x-ms-wma
    com.microsoft.windows-media-wmp <public.movie <com.microsoft.advanced-systems-format .wmp
      video/x-ms-wmp
    com.microsoft.windows-media-wmv <public.movie <com.microsoft.advanced-systems-format .wmv
      video/x-ms-wmv
    com.microsoft.windows-media-wmx <public.movie <com.microsoft.advanced-stream-redirector .wmx
      video/x-ms-wmx ~audio/x-ms-asx
    com.microsoft.windows-media-wvx <public.movie <com.microsoft.advanced-stream-redirector .wvx
      video/x-ms-wvx ~audio/x-ms-asx
    com.microsoft.word.doc <public.data <public.composite-content .doc application/msword
    com.microsoft.word.dot <public.data <public.composite-content .dot application/msword
    com.microsoft.word.wordml <public.xml <public.composite-content .xml
    com.netscape.javascript-source <public.script <public.executable .js .jscript .javascript .mjs
      text/javascript ~application/javascript
    com.pixar.universal-scene-description <public.3d-content <public.data .usd .usda .usdc
    com.pixar.universal-scene-description-mobile <public.3d-content <public.data .usdz
      model/vnd.usdz+zip
    com.pkware.zip-archive <public.data <public.archive
    com.real.realaudio <public.audio .ram .ra audio/vnd.rn-realaudio audio/x-pn-realaudio
      audio/x-realaudio
    com.real.realmedia <public.movie .rm application/vnd.rn-realmedia
    com.real.realmedia-vbr <public.movie .rmvb application/vnd.rn-realmedia-vbr
      ~application/vnd.rn-realmedia
    com.rsa.pkcs-12 <public.data .p12 .pfx application/x-pkcs12 ~application/pkcs12
    com.scenarist.closed-caption <public.text .scc
    com.sgi.sgi-image <public.image .sgi image/sgi ~image/x-sgi
    com.sony.wave64 <public.audio .w64
    com.soundblaster.soundfont <public.audio .sf2
    com.stuffit.archive.sidx <com.allume.stuffit-archive .sidx application/x-stuffitx-index
      application/x-sitx-index
    com.stuffit.archive.sit <com.allume.stuffit-archive .sit .sea application/x-stuffit
      application/x-sit
    com.stuffit.archive.sitx <com.allume.stuffit-archive .sitx application/x-stuffitx
      application/x-sitx
    com.sun.java-archive <public.zip-archive <public.executable .jar application/java-archive
      ~application/x-java-archive
    com.sun.java-class <public.data <public.executable .class ~application/x-java
    com.sun.java-source <public.source-code .java .jav ~text/x-java
    com.sun.java-web-start <public.xml .jnlp application/x-java-jnlp-file application/jnlp
    com.sun.web-application-archive <com.sun.java-archive .war
    com.truevision.tga-image <public.image .tga image/targa image/tga application/tga ~image/x-tga
    gov.nih.nifti-1 <public.data .nii
    org.3gpp.adaptive-multi-rate-audio <public.audio .amr audio/amr ~audio/AMR
    org.7-zip.7-zip-archive <public.data <public.archive .7z application/x-7z-compressed
      =377abcaf271c
    org.aafassociation.advanced-authoring-format <public.data <public.composite-content .aaf
    org.gnu.gnu-tar-archive <public.data <public.archive .gtar application/x-gtar ~application/x-tar
    org.gnu.gnu-zip-archive <public.data <public.archive .gz .gzip application/x-gzip
      application/gzip ~application/gzip =1f8b08
    org.gnu.gnu-zip-tar-archive <org.gnu.gnu-zip-archive .tgz ..tar.gz ~application/x-compressed-tar
    org.idpf.epub-container <public.data <public.composite-content .epub application/epub+zip
    org.khronos.collada.digital-asset-exchange <public.xml <public.audiovisual-content
      <public.3d-content .dae
    org.nema.dicom <public.data .dcm .dicom application/dicom
    org.oasis-open.opendocument <public.data
    org.oasis-open.opendocument.chart <org.oasis-open.opendocument <public.composite-content .odc
      application/vnd.oasis.opendocument.chart
    org.oasis-open.opendocument.chart-template <org.oasis-open.opendocument
      <public.composite-content .otc application/vnd.oasis.opendocument.chart-template
    org.oasis-open.opendocument.database <public.data <public.content <public.database .odb
      application/vnd.oasis.opendocument.database
    org.oasis-open.opendocument.formula <org.oasis-open.opendocument <public.content .odf
      application/vnd.oasis.opendocument.formula
    org.oasis-open.opendocument.formula-template <org.oasis-open.opendocument <public.content .otf
      application/vnd.oasis.opendocument.formula-template
    org.oasis-open.opendocument.graphics <org.oasis-open.opendocument <public.composite-content .odg
      application/vnd.oasis.opendocument.graphics
    org.oasis-open.opendocument.graphics-template <org.oasis-open.opendocument
      <public.composite-content .otg application/vnd.oasis.opendocument.graphics-template
    org.oasis-open.opendocument.image <org.oasis-open.opendocument <public.image .odi
      application/vnd.oasis.opendocument.image
    org.oasis-open.opendocument.image-template <org.oasis-open.opendocument <public.image .oti
      application/vnd.oasis.opendocument.image-template
    org.oasis-open.opendocument.presentation <org.oasis-open.opendocument <public.composite-content
      <public.presentation .odp application/vnd.oasis.opendocument.presentation
    org.oasis-open.opendocument.presentation-template <org.oasis-open.opendocument
      <public.composite-content <public.presentation .otp
      application/vnd.oasis.opendocument.presentation-template
    org.oasis-open.opendocument.spreadsheet <org.oasis-open.opendocument <public.composite-content
      <public.spreadsheet .ods application/vnd.oasis.opendocument.spreadsheet
    org.oasis-open.opendocument.spreadsheet-template <org.oasis-open.opendocument
      <public.composite-content <public.spreadsheet .ots
      application/vnd.oasis.opendocument.spreadsheet-template
    org.oasis-open.opendocument.text <org.oasis-open.opendocument <public.composite-content .odt
      application/vnd.oasis.opendocument.text
    org.oasis-open.opendocument.text-master <org.oasis-open.opendocument <public.composite-content
      .odm application/vnd.oasis.opendocument.text-master
    org.oasis-open.opendocument.text-template <org.oasis-open.opendocument <public.composite-content
      .ott application/vnd.oasis.opendocument.text-template
    org.oasis-open.opendocument.text-web <org.oasis-open.opendocument <public.composite-content .oth
      application/vnd.oasis.opendocument.text-web
    org.openoffice.formula <public.data <public.content .sxm .smf application/vnd.sun.xml.math
      application/vnd.stardivision.math
    org.openoffice.graphics <public.data <public.content .sxd .sda application/vnd.sun.xml.draw
      application/vnd.stardivision.draw
    org.openoffice.graphics-template <public.data <public.content .std
      application/vnd.sun.xml.draw.template
    org.openoffice.presentation <public.data <public.content <public.presentation .sxi .sdd .sdp
      application/vnd.sun.xml.impress application/vnd.stardivision.impress
      application/vnd.stardivision.impress-packed
    org.openoffice.presentation-template <public.data <public.content <public.presentation .sti
      application/vnd.sun.xml.impress.template
    org.openoffice.spreadsheet <public.data <public.spreadsheet .sxc .sdc
      application/vnd.sun.xml.calc application/vnd.stardivision.calc
    org.openoffice.spreadsheet-template <public.data <public.spreadsheet .stc
      application/vnd.sun.xml.calc.template
    org.openoffice.text <public.data <public.content .sxw .sdw application/vnd.sun.xml.writer
      application/vnd.stardivision.writer
    org.openoffice.text-master <public.data <public.content .sxg
      application/vnd.sun.xml.writer.global
    org.openoffice.text-template <public.data <public.content .stw
      application/vnd.sun.xml.writer.template
    org.openxmlformats.openxml <public.data
    org.openxmlformats.presentationml.presentation <org.openxmlformats.openxml <public.presentation
      .pptx application/vnd.openxmlformats-officedocument.presentationml.presentation
    org.openxmlformats.presentationml.presentation.macroenabled <org.openxmlformats.openxml
      <public.presentation <public.executable .pptm
      application/vnd.ms-powerpoint.presentation.macroEnabled.12
    org.openxmlformats.presentationml.slideshow <org.openxmlformats.openxml <public.presentation
      .ppsx application/vnd.openxmlformats-officedocument.presentationml.slideshow
    org.openxmlformats.presentationml.slideshow.macroenabled <org.openxmlformats.openxml
      <public.presentation <public.executable .ppsm
      application/vnd.ms-powerpoint.slideshow.macroEnabled.12
    org.openxmlformats.presentationml.template <org.openxmlformats.openxml <public.presentation
      .potx application/vnd.openxmlformats-officedocument.presentationml.template
    org.openxmlformats.presentationml.template.macroenabled <org.openxmlformats.openxml
      <public.presentation <public.executable .potm
      application/vnd.ms-powerpoint.template.macroEnabled.12
    org.openxmlformats.spreadsheetml.sheet <org.openxmlformats.openxml <public.composite-content
      <public.spreadsheet .xlsx application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
    org.openxmlformats.spreadsheetml.sheet.macroenabled <org.openxmlformats.openxml
      <public.composite-content <public.spreadsheet <public.executable .xlsm
      application/vnd.ms-excel.sheet.macroEnabled.12
    org.openxmlformats.spreadsheetml.template <org.openxmlformats.openxml <public.composite-content
      <public.spreadsheet .xltx application/vnd.openxmlformats-officedocument.spreadsheetml.template
    org.openxmlformats.spreadsheetml.template.macroenabled <org.openxmlformats.openxml
      <public.composite-content <public.spreadsheet <public.executable .xltm
      application/vnd.ms-excel.template.macroEnabled.12
    org.openxmlformats.wordprocessingml.document <org.openxmlformats.openxml
      <public.composite-content .docx
      application/vnd.openxmlformats-officedocument.wordprocessingml.document
    org.openxmlformats.wordprocessingml.document.macroenabled <org.openxmlformats.openxml
      <public.composite-content <public.executable .docm
      application/vnd.ms-word.document.macroEnabled.12
    org.openxmlformats.wordprocessingml.template <org.openxmlformats.openxml
      <public.composite-content .dotx
      application/vnd.openxmlformats-officedocument.wordprocessingml.template
    org.openxmlformats.wordprocessingml.template.macroenabled <org.openxmlformats.openxml
      <public.composite-content <public.executable .dotm
      application/vnd.ms-word.template.macroEnabled.12
    org.smpte.mxf <public.movie .mxf application/mxf
    org.tukaani.tar-xz-archive <public.data <public.archive .txz ..tar.xz
      ~application/x-xz-compressed-tar
    org.tukaani.xz-archive <public.data <public.archive .xz application/x-xz =fd377a585a00
    org.w3.webvtt <public.text .vtt text/vtt
    org.webmproject.webm <public.movie .webm video/webm audio/webm
    org.webmproject.webp <public.image .webp image/webp
    org.xiph.flac <public.audio .flac audio/flac =664c6143
    public.3d-content <public.content
    public.3gpp <public.movie .3gp .3gpp .sdv video/3gpp audio/3gpp
    public.3gpp2 <public.movie .3g2 .3gp2 video/3gpp2 audio/3gpp2
    public.aac-audio <public.audio .aac .adts audio/aac audio/x-aac
    public.ac3-audio <public.audio .ac3 audio/ac3
    public.ada-source <public.source-code .ada .adb .ads ~text/x-adasrc
    public.aifc-audio <public.audio .aifc ~audio/x-aifc
    public.aiff-audio <public.aifc-audio .aiff .aif audio/aiff audio/x-aiff ~audio/x-aiff
    public.alembic <public.3d-content <public.data .abc
    public.archive
    public.assembly-source <public.source-code .s
    public.au-audio <public.audio .au .snd audio/basic
    public.audio <public.audiovisual-content
    public.audiovisual-content <public.data <public.content
    public.audiovisual-content-collection
    public.avchd-collection <com.apple.package <public.audiovisual-content-collection .avchd
    public.avci <public.heif-standard .avci image/avci
    public.avcs <public.heif-standard .avcs image/avcs
    public.avi <public.movie .avi .vfw video/avi video/msvideo video/x-msvideo ~video/x-msvideo
    public.bash-script <public.shell-script .bash
    public.bookmark
    public.bzip2-archive <public.data <public.archive .bz2 .bz application/x-bzip2
      application/x-bzip application/bzip2 application/bzip application/x-bz2 ~application/x-bzip
      =425a68
    public.c-header <public.source-code .h ~text/x-chdr
    public.c-plus-plus-header <public.source-code .hh .hp .hpp .hxx .h++ .ipp ~text/x-c++hdr
    public.c-plus-plus-inline-header <public.c-plus-plus-header .inl
    public.c-plus-plus-source <public.source-code .cp .cpp .c++ .cc .cxx ~text/x-c++src
    public.c-plus-plus-source.preprocessed <public.c-plus-plus-source
      <public.source-code.preprocessed .ii
    public.c-source <public.source-code .c
    public.c-source.preprocessed <public.c-source <public.source-code.preprocessed .i
    public.calendar-event
    public.camera-raw-image <public.image
    public.cdda-audio <public.aifc-audio .cdda
    public.comma-separated-values-text <public.plain-text <public.delimited-values-text .csv
      text/csv text/comma-separated-values
    public.composite-content <public.content
    public.contact
    public.content
    public.cpio-archive <public.data <public.archive .cpio .pax ~application/x-cpio
    public.csh-script <public.shell-script .csh ~application/x-csh
    public.css <public.text .css text/css
    public.data * <public.item application/octet-stream
    public.database
    public.delimited-values-text <public.text
    public.directory * <public.item
    public.disk-image <public.archive
    public.downloadable-sound <public.audio .dls audio/dls
    public.dv-movie <public.movie .dv .dif video/x-dv ~video/dv
    public.dylan-source <public.source-code .dlyan .lid
    public.email-message <public.message
    public.enhanced-ac3-audio <public.audio .eac3 .ec3 audio/eac3
    public.executable
    public.fax <public.image <public.message
    public.file-url <public.url
    public.flc-animation <public.movie .flc .fli .cel video/flc ~video/x-flic
    public.folder * <public.directory
    public.font <public.data
    public.fortran-77-source <public.fortran-source .f77
    public.fortran-90-source <public.fortran-source .f90 ~text/x-fortran
    public.fortran-95-source <public.fortran-source .f95 ~text/x-fortran
    public.fortran-source <public.source-code .f .for ~text/x-fortran
    public.geojson <public.json .geojson application/geo+json
    public.geometry-definition-format <public.3d-content <public.text .obj
    public.haptics-content
    public.heic <public.heif-standard .heic image/heic ~image/heif
    public.heics <public.heif-standard .heics image/heic-sequence ~image/heif
    public.heif <public.heif-standard .heif .hif image/heif
    public.heif-standard <public.image
    public.heifs <public.heif-standard .heifs image/heif-sequence ~image/heif
    public.html <public.text .html .htm .shtml .shtm text/html
    public.image <public.data <public.content
    public.item *
    public.jpeg <public.image .jpeg .jpg .jpe image/jpeg image/jpg =ffd8ff
    public.jpeg-2000 <public.image .jp2 .jpf .jpx .j2k .j2c image/jp2
    public.jpeg-xl <public.image .jxl image/jxl
    public.json <public.text .json application/json
    public.ksh-script <public.shell-script .ksh
    public.lex-source <public.source-code .l .lm .lmm .lpp .lxx .ll
    public.log <public.item
    public.m3u-playlist <public.plain-text <public.playlist .m3u .m3u8 audio/mpegurl
      application/vnd.apple.mpegurl audio/x-mpegurl ~audio/x-mpegurl
    public.make-source <public.script .make .mak .gmk .mk ~text/x-makefile
    public.message
    public.midi-audio <public.audio .midi .mid .smf .kar audio/midi audio/x-midi
    public.mig-source <public.source-code .defs .mig
    public.movie <public.audiovisual-content
    public.mp2 <public.audio .mp2
    public.mp3 <public.audio .mp3 .mpga audio/mpeg audio/mpeg3 audio/mpg audio/mp3 audio/x-mpeg
      audio/x-mpeg3 audio/x-mpg audio/x-mp3
    public.mp4a-latm <public.audio audio/mp4a-latm
    public.mp4a-loas <public.audio .loas .latm ~audio/usac
    public.mpeg <public.movie .mpg .mpeg .mpe .m75 .m15 video/mpeg video/mpg video/x-mpeg
      video/x-mpg
    public.mpeg-2-transport-stream <public.movie .ts
    public.mpeg-2-video <public.video .m2v video/mpeg2 video/mpeg2-video
    public.mpeg-4 <public.movie .mp4 .mpg4 video/mp4 video/mp4v-es
    public.mpeg-4-audio <public.audio .mp4 .mpg4 audio/mp4 audio/mp4a-latm
    public.mpo-image <public.image .mpo
    public.ndjson <public.text .ndjson application/x-ndjson
    public.object-code <public.data <public.executable .o ~application/x-object
    public.objective-c-plus-plus-source <public.source-code .mm
    public.objective-c-plus-plus-source.preprocessed <public.objective-c-plus-plus-source
      <public.source-code.preprocessed .mii
    public.objective-c-source <public.source-code .m
    public.objective-c-source.preprocessed <public.objective-c-source
      <public.source-code.preprocessed .mi
    public.ofd <public.data <public.composite-content .ofd application/ofd
    public.opentype-collection-font <public.opentype-font .otc
    public.opentype-font <public.font .otf font/otf
    public.pascal-source <public.source-code .pas ~text/x-pascal
    public.patch-file <public.plain-text .patch .diff ~text/x-patch
    public.perl-script <public.shell-script .pl .pm text/x-perl-script
    public.php-script <public.shell-script .php .php3 .php4 .ph3 .ph4 .phtml text/php
      text/x-php-script application/php ~application/x-php
    public.plain-text <public.text .txt .text text/plain
    public.playlist
    public.pls-playlist <public.text <public.playlist .pls audio/x-scpls
    public.png <public.image .png image/png =89504e470d0a1a0a
    public.polygon-file-format <public.3d-content <public.data .ply
    public.precompiled-c-header <public.source-code .pch
    public.precompiled-c-plus-plus-header <public.source-code .pch++
    public.presentation <public.composite-content
    public.python-script <public.shell-script .py text/x-python-script ~text/x-python
    public.rss <public.xml .rss application/rss+xml
    public.rtf <public.text .rtf text/rtf ~application/rtf
    public.ruby-script <public.shell-script .rb .rbw text/x-ruby-script ~application/x-ruby
    public.script <public.source-code
    public.shell-script <public.script .sh ~application/x-shellscript
    public.source-code <public.plain-text
    public.source-code.preprocessed <public.source-code
    public.spreadsheet <public.content
    public.standard-tesselated-geometry-format <public.3d-content <public.data .stl ~model/stl
    public.stored-url
    public.svg-image <public.image <public.xml .svg .svgz image/svg+xml
    public.swift-source <public.source-code .swift
    public.symlink <public.item <com.apple.resolvable
    public.tab-separated-values-text <public.plain-text <public.delimited-values-text .tsv
      text/tab-separated-values
    public.tar-archive <org.gnu.gnu-tar-archive .tar application/x-tar application/tar
    public.tar-bzip2-archive <public.bzip2-archive .tbz2 .tbz ..tar.bz2
      ~application/x-bzip-compressed-tar
    public.tcsh-script <public.shell-script .tcsh
    public.text <public.data <public.content
    public.tiff <public.image .tiff .tif image/tiff =49492a00 =4d4d002a
    public.to-do-item
    public.truetype-collection-font <public.truetype-font .ttc ~font/collection
    public.truetype-font <public.font
    public.truetype-ttf-font <public.truetype-font .ttf font/ttf
    public.ulaw-audio <public.audio .ul .ulw .ulaw
    public.unix-executable <public.data <public.executable
    public.url <public.data
    public.utf16-external-plain-text <public.plain-text
    public.utf16-plain-text <public.plain-text text/plain;charset=utf-16 text/plain;charset="utf-16"
      ~text/plain
    public.utf8-plain-text <public.plain-text text/plain;charset=utf-8 text/plain;charset="utf-8"
      ~text/plain
    public.utf8-tab-separated-values-text <public.tab-separated-values-text <public.utf8-plain-text
    public.uuencoded-archive <public.data <public.archive .uu text/x-uuencode
    public.vcard <public.text <public.contact .vcf .vcard text/vcard text/directory text/x-vcard
    public.video <public.movie
    public.volume <public.folder
    public.x509-certificate <public.data .cer .der .crt .pem application/x-x509-ca-cert
    public.xbitmap-image <public.image .xbm image/x-xbitmap
    public.xfd <public.xml .xfd
    public.xhtml <public.xml .xhtml .xhtm .xht application/xhtml+xml
    public.xml <public.text .xml application/xml text/xml
    public.yacc-source <public.source-code .y .ym .ymm .ypp .yxx .yy
    public.yaml <public.text .yml .yaml application/x-yaml
    public.z-archive <public.data <public.archive .z application/x-compress
    public.zip-archive <com.pkware.zip-archive .zip application/zip application/x-zip-compressed
      =504b0304 =504b0506
    public.zsh-script <public.shell-script .zsh
    """
}
